"""Fixtures of datasets: one with cases, and an API client."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from tests.cast import Cast


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    """Owned by the Builder, visible to the organisation, without cases."""
    return create_dataset(cast.actor("builder"), name="Returns")


@pytest.fixture
def private(cast: Cast) -> Dataset:
    """Owned by the Builder and private."""
    return create_dataset(cast.actor("builder"), name="Private returns", visibility="private")


@pytest.fixture
def add(cast: Cast, dataset: Dataset) -> Callable[..., Any]:
    """`add("question")`: a saved case in `dataset`, with a reference answer unless something else is given."""

    def added(question: str, **fields: Any) -> Any:
        fields = fields or {"reference_answer": "30 days"}
        return add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CaseDraft(input=question, **fields))

    return added


@pytest.fixture
def api(sign_in: Callable[[str], Client]) -> Callable[[str], Client]:
    """`api("builder")`: a client with that member's session, which the API takes too."""
    return sign_in


@pytest.fixture
def browser(sign_in: Callable[[str], Client]) -> Client:
    """The console as the Builder sees it."""
    return sign_in("builder")


@pytest.fixture
def page(dataset: Dataset) -> str:
    """The address of the dataset's page."""
    return f"/datasets/{dataset.pk}/"
