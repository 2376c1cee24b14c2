"""URL × role × relation over the pages of graded answers and of test runs; "not there" is the same as "not yours"."""

from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client

from datasets.models import Dataset
from scoring.models import Score, ScoreOrigin
from scoring.operations.settings import snapshot_of
from tests.access.eval_list_pages import EVAL_LIST_PAGES
from tests.access.expectations import RELATIONS, ROLES, SEES_ALL, edits, sees
from tests.access.score_pages import SCORE_PAGES, ScorePage, ScoreTarget
from tests.access.test_dataset_table import drained, make_target, seen, undone
from tests.cast import Cast

PAGES = SCORE_PAGES + EVAL_LIST_PAGES


def make_score(cast: Cast, role: str, relation: str) -> ScoreTarget:
    if relation == "missing":
        return ScoreTarget()
    target = make_target(cast, role, relation)
    dataset = Dataset.objects.get(pk=target.dataset)
    score = Score.objects.create(
        organisation=dataset.organisation,
        dataset=dataset,
        case_id=target.case,
        version=1,
        snapshot=snapshot_of(dataset),
        origin=ScoreOrigin.ACTIVITY,
        has_agent=False,
        state="done",
        outcome="unscored",
    )
    return ScoreTarget(dataset.pk, score.pk)


def expected(role: str, relation: str, page: ScorePage) -> Literal["ok", 403, 404]:
    if not sees(role, relation):
        return 404
    if page.need == "edit":
        return "ok" if edits(role, relation) else 403
    if page.need == "decide":
        return "ok" if edits(role, relation) and role in SEES_ALL else 403
    return "ok" if page.need == "view" or role in SEES_ALL else 403


@pytest.mark.spec("SC-166", "SC-167", "SC-D54", "RV-71", "RV-73", "ACC-5", "ACC-D9")
@pytest.mark.spec("EV-24", "EV-25", "EV-26", "EV-27", "EV-28", "EV-32")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_score(cast, role, relation)
        for page in PAGES:
            with undone():
                answered = drained(page.ask(client, target)).status_code
            wanted = expected(role, relation, page)
            if not (answered < 400 if wanted == "ok" else answered == wanted):
                wrong.append(f"{relation}, {page}: {answered} instead of {wanted}")
    assert wrong == []


@pytest.mark.spec("ACC-20", "ACC-21", "ACC-D9", "SC-167", "RV-73")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("member")
    missing, private, elsewhere = (make_score(cast, "member", kind) for kind in ("missing", "private", "elsewhere"))
    mine = make_score(cast, "member", "own")
    foreign = ScoreTarget(mine.dataset, elsewhere.score)
    for page in PAGES:
        nothing = seen(page.ask(client, missing))
        assert nothing[0] == 404, page
        assert seen(page.ask(client, private)) == nothing, page
        assert seen(page.ask(client, elsewhere)) == nothing, page
        if page.of_score:
            assert seen(page.ask(client, foreign))[0] == 404, page
