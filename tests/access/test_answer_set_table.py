"""URL × role × relation over every address of stored answers, and the sameness of "not there" and "not yours"."""

from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client

from datasets.models import Dataset
from scoring.models import AnswerSet
from scoring.operations.settings import change_scoring
from tests.access.answer_set_routes import ANSWER_SETS, AnswerSetRoute, AnswerSetTarget
from tests.access.expectations import RELATIONS, ROLES, SEES_ALL, sees, status
from tests.access.test_dataset_table import drained, make_target, seen, undone
from tests.cast import Cast


def make_sets(cast: Cast, role: str, relation: str) -> AnswerSetTarget:
    if relation == "missing":
        return AnswerSetTarget()
    target = make_target(cast, role, relation)
    dataset = Dataset.objects.get(pk=target.dataset)
    maker = cast.actor("stranger" if relation == "elsewhere" else "owner")
    defaults = [{"type": "contains", "value": "30 days"}]
    change_scoring(maker, dataset_id=dataset.pk, changes={"checks": {"defaults": defaults}})
    sets = [AnswerSet.objects.create(dataset=dataset, version=1, label=label) for label in ("One", "Other")]
    return AnswerSetTarget(dataset.pk, *(one.pk for one in sets))


def expected(role: str, relation: str, route: AnswerSetRoute) -> Literal["ok", 403, 404]:
    if route.need != "score":
        return status(role, relation, route.need)
    if not sees(role, relation):
        return 404
    return "ok" if role in SEES_ALL else 403


@pytest.mark.spec("SC-166", "SC-167", "ACC-5", "ACC-D9")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_sets(cast, role, relation)
        for route in ANSWER_SETS:
            with undone():
                answered = drained(route.ask(client, target)).status_code
            wanted = expected(role, relation, route)
            if not (answered < 400 if wanted == "ok" else answered == wanted):
                wrong.append(f"{relation}, {route}: {answered} instead of {wanted}")
    assert wrong == []


@pytest.mark.spec("ACC-20", "ACC-21", "ACC-D9", "SC-167")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("member")
    missing, private, elsewhere = (make_sets(cast, "member", kind) for kind in ("missing", "private", "elsewhere"))
    mine = make_sets(cast, "member", "own")
    foreign = AnswerSetTarget(mine.dataset, elsewhere.answer_set, elsewhere.other)
    for route in ANSWER_SETS:
        nothing = seen(route.ask(client, missing))
        assert nothing[0] == 404, route
        assert seen(route.ask(client, private)) == nothing, route
        assert seen(route.ask(client, elsewhere)) == nothing, route
        if route.of_set:
            assert seen(route.ask(client, foreign))[0] == 404, route
