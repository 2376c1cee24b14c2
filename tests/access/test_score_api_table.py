"""URL × role × relation over the endpoints of scores, and the sameness of "not there" and "not yours"."""

from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client

from accounts.models import Member
from datasets.models import Case, Dataset
from review.models import Decision
from scoring.models import Score, ScoreOrigin
from scoring.operations.settings import change_scoring, snapshot_of
from tests.access.expectations import RELATIONS, ROLES, SEES_ALL, edits, sees
from tests.access.score_endpoints import SCORE_ENDPOINTS, ScoredTarget, ScoreEndpoint
from tests.access.test_dataset_table import drained, make_target, seen, undone
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast


def make_scored(cast: Cast, role: str, relation: str) -> ScoredTarget:
    if relation == "missing":
        return ScoredTarget()
    target = make_target(cast, role, relation)
    dataset = Dataset.objects.get(pk=target.dataset)
    elsewhere = relation == "elsewhere"
    maker = cast.actor("stranger" if elsewhere else "owner")
    defaults = [{"type": "contains", "value": "30 days"}]
    change_scoring(maker, dataset_id=dataset.pk, changes={"checks": {"defaults": defaults}})
    owner: Member = cast.stranger if elsewhere else cast.owner
    run = make_run(make_agent(cast, owner=owner, name="Table"))
    score = Score.objects.create(
        organisation=dataset.organisation,
        dataset=dataset,
        case=Case.objects.get(pk=target.case),
        version=1,
        snapshot=snapshot_of(dataset),
        origin=ScoreOrigin.ACTIVITY,
        has_agent=False,
        state="done",
        outcome="unscored",
        decided="pass",
    )
    Decision.objects.create(score=score, number=1, ruling="pass", automatic="unscored")
    return ScoredTarget(dataset.pk, target.case, score.pk, run.pk)


def expected(role: str, relation: str, endpoint: ScoreEndpoint) -> Literal["ok", 403, 404]:
    if not sees(role, relation):
        return 404
    if endpoint.need == "edit":
        return "ok" if edits(role, relation) else 403
    if endpoint.need == "decide":
        return "ok" if edits(role, relation) and role in SEES_ALL else 403
    if endpoint.need == "view" or role in SEES_ALL:
        return "ok"
    runs_dataset = role == "member" and relation in ("own", "own_private", "shared")
    return 404 if endpoint.need == "score_run" and runs_dataset else 403


@pytest.mark.spec("RV-72", "RV-73", "SC-166", "SC-167", "SC-D53", "SC-D54", "ACC-22", "ACC-D9")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_scored(cast, role, relation)
        for endpoint in SCORE_ENDPOINTS:
            with undone():
                answered = drained(endpoint.ask(client, target)).status_code
            wanted = expected(role, relation, endpoint)
            if not (answered < 400 if wanted == "ok" else answered == wanted):
                wrong.append(f"{relation}, {endpoint}: {answered} instead of {wanted}")
    assert wrong == []


@pytest.mark.spec("SC-167", "ACC-20", "ACC-D9")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("builder")
    missing, elsewhere = make_scored(cast, "builder", "missing"), make_scored(cast, "builder", "elsewhere")
    mine = make_scored(cast, "builder", "own")
    mixed = [
        ScoredTarget(mine.dataset, elsewhere.case, elsewhere.score, mine.run),
        ScoredTarget(mine.dataset, mine.case, elsewhere.score, elsewhere.run),
    ]
    for endpoint in SCORE_ENDPOINTS:
        nothing = seen(endpoint.ask(client, missing))
        assert nothing[0] == 404, endpoint
        assert seen(endpoint.ask(client, elsewhere)) == nothing, endpoint
        if endpoint.of_score or endpoint.need == "score_run":
            for target in mixed:
                assert seen(endpoint.ask(client, target)) == nothing, endpoint
