"""URL × role × relation over the pages of a test run, and the sameness of "not there" and "not yours" (EV-D53)."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from django.test import Client

from datasets.models import CaseRevision, Dataset
from evals.models import Attempt, EvalItem, EvalRun
from scoring.operations.settings import snapshot_of
from tests.access.eval_pages import EVAL_PAGES, EvalPage, EvalTarget
from tests.access.expectations import RELATIONS, ROLES, SEES_ALL, edits, sees
from tests.access.test_dataset_table import drained, make_target, seen, undone
from tests.activity.rows import make_agent
from tests.cast import Cast


def make_runs(cast: Cast, role: str, relation: str) -> EvalTarget:
    if relation == "missing":
        return EvalTarget()
    target = make_target(cast, role, relation)
    dataset = Dataset.objects.get(pk=target.dataset)
    revision = CaseRevision.objects.get(case=target.case)
    agent = make_agent(cast) if dataset.organisation == cast.kettle else None
    given: dict[str, Any] = {
        "organisation": dataset.organisation, "dataset": dataset, "version": 1, "agent": agent,
        "snapshot": snapshot_of(dataset),
    }  # fmt: skip
    states = ("completed", "running", "cancelled")
    runs = [EvalRun.objects.create(number=number, state=state, **given) for number, state in enumerate(states, 1)]
    item = EvalItem.objects.create(run=runs[0], case=revision.case, revision=revision, position=1)
    Attempt.objects.create(run=runs[0], item=item, number=1, state="error")
    return EvalTarget(runs[0].pk, item.pk, runs[1].pk, runs[2].pk)


def expected(role: str, relation: str, page: EvalPage) -> Literal["ok", 403, 404]:
    if not sees(role, relation) or role not in SEES_ALL:
        return 404
    if page.need == "edit":
        return "ok" if edits(role, relation) else 403
    return "ok"


@pytest.mark.spec("EV-D53", "EV-D54", "EV-D55", "EV-26", "EV-32", "ACC-5", "ACC-D9")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_runs(cast, role, relation)
        for page in EVAL_PAGES:
            with undone():
                answered = drained(page.ask(client, target)).status_code
            wanted = expected(role, relation, page)
            is_met = answered < 400 or answered in page.also
            if not (is_met if wanted == "ok" else answered == wanted):
                wrong.append(f"{relation}, {page}: {answered} instead of {wanted}")
    assert wrong == []


@pytest.mark.spec("ACC-20", "ACC-21", "ACC-D9", "EV-32")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("builder")
    missing, elsewhere = (make_runs(cast, "builder", kind) for kind in ("missing", "elsewhere"))
    mine, other = make_runs(cast, "builder", "own"), make_runs(cast, "builder", "shared")
    foreign = EvalTarget(completed=mine.completed, item=other.item)
    unseen = sign_in("member")
    for page in EVAL_PAGES:
        nothing = seen(page.ask(client, missing))
        assert nothing[0] == 404, page
        assert seen(page.ask(client, elsewhere)) == nothing, page
        assert seen(page.ask(unseen, other))[0] == 404, page
        if page.name == "eval-item":
            assert seen(page.ask(client, foreign))[0] == 404, page
