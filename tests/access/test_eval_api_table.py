"""URL × role × relation over the endpoints of test runs, and the sameness of "not there" and "not yours" (EV-D53)."""

from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client

from evals.models import EvalRun
from scoring.models import GradingSettings
from tests.access.eval_endpoints import EVAL_ENDPOINTS, EvalApiTarget, EvalEndpointRow
from tests.access.expectations import RELATIONS, ROLES, SEES_ALL, edits, sees
from tests.access.test_dataset_table import drained, seen, undone
from tests.access.test_eval_table import make_runs
from tests.activity.rows import make_agent
from tests.cast import Cast


def make_api_target(cast: Cast, role: str, relation: str) -> EvalApiTarget:
    if relation == "missing":
        return EvalApiTarget()
    runs = make_runs(cast, role, relation)
    run = EvalRun.objects.get(pk=runs.completed)
    checks = {"defaults": [{"type": "contains", "value": "days"}]}
    GradingSettings.objects.create(dataset=run.dataset, settings={"checks": checks}, revision=1)
    agent = make_agent(cast, owner=cast.stranger if relation == "elsewhere" else cast.owner, name="Table")
    return EvalApiTarget(run.dataset_id, agent.pk, runs)


def expected(role: str, relation: str, endpoint: EvalEndpointRow) -> Literal["ok", 403, 404]:
    if not sees(role, relation):
        return 404
    if role not in SEES_ALL:
        return 403 if endpoint.is_of_dataset else 404
    if endpoint.need == "edit":
        return "ok" if edits(role, relation) else 403
    return "ok"


@pytest.mark.spec("EV-24", "EV-25", "EV-26", "EV-27", "EV-28", "EV-32", "EV-D4", "EV-D53", "EV-D54", "ACC-D9")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_api_target(cast, role, relation)
        for endpoint in EVAL_ENDPOINTS:
            with undone():
                answered = drained(endpoint.ask(client, target)).status_code
            wanted = expected(role, relation, endpoint)
            is_met = answered < 400 or answered in endpoint.also
            if not (is_met if wanted == "ok" else answered == wanted):
                wrong.append(f"{relation}, {endpoint}: {answered} instead of {wanted}")
    assert wrong == []


@pytest.mark.spec("EV-32", "EV-D53", "ACC-20", "ACC-D9")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client, unseen = sign_in("builder"), sign_in("member")
    missing, elsewhere = (make_api_target(cast, "builder", kind) for kind in ("missing", "elsewhere"))
    shared = make_api_target(cast, "builder", "shared")
    foreign_agent = EvalApiTarget(shared.dataset, elsewhere.agent, shared.runs)
    for endpoint in EVAL_ENDPOINTS:
        nothing = seen(endpoint.ask(client, missing))
        assert nothing[0] == 404, endpoint
        assert seen(endpoint.ask(client, elsewhere)) == nothing, endpoint
        if not endpoint.is_of_dataset:
            assert seen(endpoint.ask(unseen, shared)) == nothing, endpoint
        if endpoint.need == "start":
            assert seen(endpoint.ask(client, foreign_agent)) == nothing, endpoint
