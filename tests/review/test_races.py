"""Several at once: no second place, no decision lost, no note that outlives its answer (RV-40, RV-D21, RV-D30)."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from core.errors import Conflict
from review.models import Decision, Leaving, Stay
from review.operations.deciding import decide, withdraw_decision
from review.operations.sending import send_of_run, send_to_review, withdraw_from_review
from scoring.models import Score
from scoring.operations.removals import remove_words_about_cases
from scoring.places import tell_of_grading
from tests.cast import Cast
from tests.datasets.test_concurrency import at_once
from tests.evals.runs import EvalScene

pytestmark = pytest.mark.django_db(transaction=True)
Act = Callable[[], Any]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def scores(scene: EvalScene, count: int, case: int = 0, **fields: Any) -> list[Score]:
    """Failed answers to one case, each graded later than the one before."""
    now = timezone.now()
    return [
        scene.score(scene.revisions[case].case_id, "fail", graded_at=now + timedelta(seconds=number), **fields)
        for number in range(count)
    ]


def given(scene: EvalScene, one: Score) -> Any:
    return {"dataset_id": scene.dataset.pk, "score_id": one.pk}


def require_sound(scene: EvalScene) -> None:
    """What holds whatever came first."""
    waiting = Stay.objects.filter(left_at=None)
    assert not waiting.values("case", "agent_key").annotate(n=Count("pk")).filter(n__gt=1).exists()
    assert not waiting.exclude(score__decided="").exists()
    for one in Score.objects.filter(dataset=scene.dataset):
        acts = list(Decision.objects.filter(score=one).order_by("number").values_list("number", "ruling"))
        assert [number for number, _ruling in acts] == list(range(1, len(acts) + 1))
        assert one.decided == (acts[-1][1] if acts else "")
        assert all(before or after for (_, before), (_, after) in pairwise(acts)), "withdrawn twice"


@pytest.mark.spec("RV-D30")
def test_of_several_who_decide_at_once_one_does_and_the_others_see_it(scene: EvalScene) -> None:
    [one] = scores(scene, 1)
    rulings = ["pass", "fail"] * 4
    acts: list[Act] = [
        lambda ruling=ruling: decide(scene.actor(), **given(scene, one), decision=ruling, revision=0)  # type: ignore[misc]
        for ruling in rulings
    ]
    done = at_once(acts)
    refused = [answer for answer in done if isinstance(answer, Conflict)]
    assert [answer.code for answer in refused] == ["decision_changed"] * 7
    held = Score.objects.get(pk=one.pk).decided
    assert {answer.data["current"]["decision"] for answer in refused} == {held}
    assert Decision.objects.get().ruling == held


@pytest.mark.spec("RV-40", "RV-42", "RV-D21")
def test_of_several_sent_at_once_to_one_place_the_newest_waits(scene: EvalScene) -> None:
    sent = scores(scene, 8)
    acts: list[Act] = [
        lambda one=one: send_to_review(scene.actor(), dataset_id=scene.dataset.pk, score_ids=[one.pk])  # type: ignore[misc]
        for one in sent
    ]
    results = [moved[0].result for moved in at_once(acts)]
    assert list(Stay.objects.filter(left_at=None).values_list("score", flat=True)) == [sent[-1].pk]
    left = Stay.objects.exclude(left_at=None)
    assert {stay.leaving for stay in left} <= {Leaving.DISPLACED}
    assert (results[-1], results.count("waiting")) == ("waiting", 1 + len(left))


@pytest.mark.spec("RV-40", "RV-47", "RV-D21", "RV-D30")
@pytest.mark.parametrize("seed", range(2))
def test_whatever_people_test_runs_and_gradings_do_at_once_the_tables_stay_sound(scene: EvalScene, seed: int) -> None:
    settings = scene.snapshot.settings | {"review_by_person": "all"}
    type(scene.snapshot).objects.filter(pk=scene.snapshot.pk).update(settings=settings)
    run = scene.run()
    pool = [*scores(scene, 4), *scores(scene, 4, case=1), *scores(scene, 2, case=2)]
    Score.objects.filter(pk__in=[one.pk for one in pool[::2]]).update(origin="activity")
    chance = Random(seed)  # noqa: S311

    def one_act() -> Act:
        some = chance.sample(pool, 3)
        ids, one = [score.pk for score in some], some[0]
        place: Any = {"dataset_id": scene.dataset.pk, "score_ids": ids}

        def tell(act: Callable[[list[Any]], Any]) -> Any:
            with transaction.atomic():
                locked = Score.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
                return act([score.pk for score in locked])

        acts: list[Act] = [
            lambda: send_to_review(scene.actor(), **place),
            lambda: withdraw_from_review(scene.actor(), **place),
            lambda: tell(lambda locked: send_of_run(run, locked)),
            lambda: tell(tell_of_grading),
            lambda: decide(scene.actor(), **given(scene, one), decision="pass", revision=0),
            lambda: withdraw_decision(scene.actor(), **given(scene, one), revision=None),
            lambda: decide(scene.actor(), **given(scene, one), decision="fail", revision=2),
        ]
        return chance.choice(acts)

    done = at_once([one_act() for _number in range(60)])
    codes = {answer.code for answer in done if isinstance(answer, Conflict)}
    assert codes <= {"decision_changed", "not_decided"}
    require_sound(scene)


@pytest.mark.spec("ACC-D35", "ACC-D36")
def test_no_note_outlives_the_words_of_its_answer(scene: EvalScene) -> None:
    some = scores(scene, 6)
    acts: list[Act] = [
        lambda one=one: decide(scene.actor(), **given(scene, one), decision="pass", note="Anna's.", revision=0)  # type: ignore[misc]
        for one in some
    ]

    @transaction.atomic
    def erase() -> None:
        remove_words_about_cases(scene.dataset, [scene.revisions[0].case_id], timezone.now())

    done = at_once([*acts[:3], erase, *acts[3:]])
    assert {answer.code for answer in done if isinstance(answer, Conflict)} <= {"answer_removed"}
    assert set(Decision.objects.values_list("note", flat=True)) <= {""}
    require_sound(scene)
