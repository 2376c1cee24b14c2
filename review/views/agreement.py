"""Agreement with the judge: how far people's decisions bear out what it says (RV-D34)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept
from review.forms.agreement import AgreementState
from review.views.agreement_context import agreement_context


@require_safe
def agreement(request: Any, dataset_id: UUID) -> HttpResponse:
    """The page, for whoever sees the dataset; counts are open to all of them, words are not (RV-75)."""
    dataset = find_dataset(request.actor, dataset_id)
    context = agreement_context(request, dataset, AgreementState.of(request.GET))
    return unkept(render(request, "review/agreement.html", context))
