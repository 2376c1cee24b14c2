"""GET and PUT /datasets/{id}/scoring (SC-49 to SC-52, SC-D16 to SC-D22)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.api import settings
from scoring.logic.settings_changes import completed
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast, make_cast

CRITERION = {"name": "Names the deadline", "criterion": "Does the answer name the deadline?"}


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("builder"), name="Returns")


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def put(api: ApiClient, dataset: Dataset) -> Callable[[Any], Any]:
    return lambda body: api.send("PUT", f"/datasets/{dataset.pk}/scoring", body)


@pytest.mark.spec("SC-D16")
def test_the_settings_come_with_their_revision(api: ApiClient, dataset: Dataset) -> None:
    found = api.get(f"/datasets/{dataset.pk}/scoring").json()
    assert found == completed({}) | {"revision": 0, "warnings": []}


@pytest.mark.spec("SC-49", "SC-D18")
def test_a_change_is_merged_and_the_whole_comes_back(put: Callable[[Any], Any]) -> None:
    put({"judge": {"criteria": [CRITERION]}})
    response = put({"judge": {"enabled": True, "scale": 10, "pass_at": 8}})
    assert response.status_code == 200
    judge = response.json()["judge"]
    assert (judge["enabled"], judge["scale"], judge["pass_at"]) == (True, 10, 8)
    assert [one["name"] for one in judge["criteria"]] == ["Names the deadline"]
    assert response.json()["revision"] == 2


def test_what_was_read_may_be_sent_back_as_it_is(api: ApiClient, dataset: Dataset, put: Callable[[Any], Any]) -> None:
    put({"judge": {"enabled": True, "criteria": [CRITERION]}})
    found = api.get(f"/datasets/{dataset.pk}/scoring").json()
    response = put(found)
    assert (response.status_code, response.json()) == (200, found)


@pytest.mark.spec("SC-51", "SC-52", "SC-D18")
def test_each_problem_is_named_with_its_place(put: Callable[[Any], Any]) -> None:
    body = {"judge": {"pass_at": 8, "modle": None}, "checks": {"defaults": [{"type": "contains"}]}}
    response = put(body)
    assert response.status_code == 422
    fields = [error["field"] for error in response.json()["errors"]]
    assert sorted(fields) == ["checks.defaults.0.value", "judge.modle", "judge.pass_at"]


@pytest.mark.parametrize(("body", "field"), [([], ""), ({"revision": "1"}, "revision"), ({"revision": -1}, "revision")])
def test_a_body_that_is_none_is_refused(put: Callable[[Any], Any], body: Any, field: str) -> None:
    response = put(body)
    assert response.status_code == 422
    assert [error["field"] for error in response.json()["errors"]] == [field]


@pytest.mark.spec("SC-D20")
def test_an_outdated_revision_gets_the_settings_of_now(put: Callable[[Any], Any]) -> None:
    put({"judge": {"instructions": "Be strict."}, "revision": 0})
    response = put({"judge": {"instructions": "Be kind."}, "revision": 0})
    assert response.status_code == 409
    found = response.json()
    assert (found["code"], found["revision"]) == ("settings_changed", 1)
    assert found["settings"]["judge"]["instructions"] == "Be strict."


@pytest.mark.spec("SC-D18", "SC-166")
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("operator", 403), ("stranger", 404)])
def test_who_may_not_edit_the_dataset_is_refused(cast: Cast, dataset: Dataset, who: str, status: int) -> None:
    path = f"/datasets/{dataset.pk}/scoring"
    assert client_of(cast.members[who]).send("PUT", path, {"judge": {"scale": 3}}).status_code == status


def test_a_dataset_that_is_not_there_is_not_found(api: ApiClient) -> None:
    assert api.get(f"/datasets/{uuid4()}/scoring").status_code == 404


@pytest.mark.spec("SC-25", "SC-D8", "SC-D11", "SC-D22")
def test_what_is_worth_a_warning_is_said(cast: Cast, dataset: Dataset, put: Callable[[Any], Any]) -> None:
    checks = ({"type": "judge", "criterion": "Is it kind?"},)
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CaseDraft("One?", checks=checks))
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CaseDraft("Two?", reference_answer="2"))

    def codes(body: Any) -> list[str]:
        return [warning["code"] for warning in put(body).json()["warnings"]]

    assert codes({}) == ["judge_off", "unchecked_cases"]
    assert codes({"reference_answer": {"enabled": True}}) == ["no_model"]
    off = {name: {"must_pass": False} for name in ("checks", "tool_calls", "judge", "reference_answer")}
    assert codes(off | {"reference_answer": {"must_pass": False, "enabled": False}}) == [
        "nothing_must_pass",
        "judge_off",
        "unchecked_cases",
    ]


@pytest.mark.django_db(transaction=True)
def test_patterns_are_read_before_anything_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    cast, inside, read = make_cast(), [], settings.read_settings
    dataset = create_dataset(cast.actor("builder"), name="Returns")

    def watched(*args: Any, **kwargs: Any) -> Any:
        inside.append(connection.in_atomic_block)
        return read(*args, **kwargs)

    monkeypatch.setattr(settings, "read_settings", watched)
    body = {"checks": {"defaults": [{"type": "regex", "value": "30 days?"}]}}
    assert client_of(cast.builder).send("PUT", f"/datasets/{dataset.pk}/scoring", body).status_code == 200
    assert inside == [False]
