"""What grading means for the queue: Review by a person, and waiting answers that are scored again (RV-37, RV-D25)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.models import LanguageModel
from review.models import Entry, Leaving, Stay
from review.operations.deciding import decide, withdraw_decision
from review.operations.following import follow_graded
from review.operations.sending import send_to_review, withdraw_from_review
from scoring.models import Score
from scoring.operations import grading
from scoring.operations.rescoring import score_again
from tests.activity.rows import make_agent
from tests.agents.provider_server import Answer, FakeProvider, fake_provider
from tests.cast import Cast
from tests.scoring.judges import entry, make_judge_model, reply, verdicts
from tests.scoring.scored import Scene, grade

WRONG = "Never."


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return Scene(cast)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider(reply("No verdict today."), reply("Nor now.")) as server:
        yield server


@pytest.fixture
def model(scene: Scene, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(scene.cast.owner, provider.address)
    scene.judge_by(found)
    return found


def waiting() -> set[Any]:
    return set(Stay.objects.filter(left_at=None).values_list("score_id", flat=True))


def again(scene: Scene, *scores: Score) -> None:
    """Scored again, and graded."""
    score_again(scene.actor("builder"), dataset_id=scene.dataset.pk, score_ids=[one.pk for one in scores])
    for one in scores:
        grade(one)


def send(scene: Scene, *scores: Score) -> None:
    send_to_review(scene.actor("builder"), dataset_id=scene.dataset.pk, score_ids=[one.pk for one in scores])


def then(provider: FakeProvider, *answers: Answer) -> None:
    """What it says from now on; the last for good."""
    provider.answers = list(answers)


def passing(provider: FakeProvider) -> None:
    words = "You can return it within 30 days"
    then(provider, reply(verdicts(entry("c-1", 5, words), entry("c-2", 5, words))))


@pytest.mark.spec("RV-37", "RV-38", "RV-D27")
@pytest.mark.parametrize(
    ("setting", "seen"),
    [("none", set[str]()), ("not_passed", {"fail", "unscored"}), ("all", {"pass", "fail", "unscored"})],
)
def test_answers_from_activity_wait_as_the_setting_says(scene: Scene, setting: str, seen: set[str]) -> None:
    scene.set(review_by_person=setting)
    other, third = make_agent(scene.cast, "Other"), make_agent(scene.cast, "Third")
    _passed, failed = scene.graded(), scene.score(WRONG)
    Score.objects.filter(pk=failed.pk).update(agent=other)
    grade(failed)
    unscored = scene.score()
    Score.objects.filter(pk=unscored.pk).update(agent=third, claims=99)
    grade(unscored)
    outcomes = dict(Score.objects.values_list("pk", "outcome"))
    assert set(outcomes.values()) == {"pass", "fail", "unscored"}
    assert {outcomes[pk] for pk in waiting()} == seen
    assert {(stay.entry, stay.by) for stay in Stay.objects.all()} <= {(Entry.SETTING, None)}


@pytest.mark.spec("RV-D27")
def test_the_setting_holds_for_answers_that_are_asked_for_afterwards(scene: Scene) -> None:
    before = scene.score(WRONG)
    scene.set(review_by_person="all")
    grade(before)
    assert waiting() == set()


@pytest.mark.spec("RV-D27")
def test_stored_answers_and_test_runs_do_not_follow_the_setting(scene: Scene) -> None:
    scene.set(review_by_person="all")
    scores = [scene.score(WRONG), scene.score(WRONG)]
    for one, origin in zip(scores, ("stored", "eval"), strict=True):
        Score.objects.filter(pk=one.pk).update(origin=origin)
        grade(one)
    assert waiting() == set()


@pytest.mark.spec("RV-48", "RV-40", "RV-42", "RV-43", "RV-46")
def test_what_the_setting_sends_goes_by_the_rules(scene: Scene) -> None:
    scene.set(review_by_person="all")
    first, second = scene.graded(WRONG), scene.graded(WRONG)
    assert waiting() == {second.pk}
    assert Stay.objects.get(score=first).leaving == Leaving.DISPLACED
    unscored = scene.score()
    Score.objects.filter(pk=unscored.pk).update(claims=99)
    grade(unscored)
    assert waiting() == {second.pk}, "what nothing graded pushes nothing out"


@pytest.mark.spec("RV-50", "RV-47")
def test_a_decided_answer_stays_decided_whatever_the_setting_says(scene: Scene) -> None:
    scene.set(review_by_person="all")
    one = scene.score(WRONG)
    decide(scene.actor("builder"), dataset_id=scene.dataset.pk, score_id=one.pk, decision="pass", revision=0)
    grade(one)
    assert (waiting(), one.decided, one.outcome, one.final_outcome) == (set(), "pass", "fail", "pass")


@pytest.mark.spec("RV-60", "RV-55", "SC-139")
def test_a_decision_survives_scoring_again(scene: Scene, provider: FakeProvider, model: LanguageModel) -> None:
    one = scene.graded()
    assert one.outcome == "unscored"
    actor, given = scene.actor("builder"), {"dataset_id": scene.dataset.pk, "score_id": one.pk}
    decide(actor, **given, decision="fail", note="Too short.", revision=0)
    passing(provider)
    again(scene, one)
    assert (one.outcome, one.decided, one.final_outcome) == ("pass", "fail", "fail")
    assert waiting() == set()
    assert withdraw_decision(actor, **given, revision=1).note == "Too short."
    assert waiting() == {one.pk}


@pytest.mark.spec("RV-D25")
@pytest.mark.parametrize("entered", list(Entry))
def test_a_judge_error_that_now_passes_leaves_unless_a_person_sent_it(
    scene: Scene, provider: FakeProvider, model: LanguageModel, entered: Entry
) -> None:
    one = scene.graded()
    send(scene, one)
    Stay.objects.update(entry=entered)
    passing(provider)
    again(scene, one)
    assert one.outcome == "pass"
    leaves = entered in (Entry.JUDGE_ERROR, Entry.SETTING)
    assert (waiting() == set()) is leaves
    assert Stay.objects.get().leaving == (Leaving.WITHDRAWN if leaves else "")


@pytest.mark.spec("RV-D25", "RV-37")
def test_where_every_result_is_to_be_seen_one_that_now_passes_stays(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    scene.set(**scene.dataset.grading.settings, review_by_person="all")
    one = scene.graded()
    assert waiting() == {one.pk}
    passing(provider)
    again(scene, one)
    assert (one.outcome, waiting()) == ("pass", {one.pk})


@pytest.mark.spec("RV-D25", "RV-44")
def test_one_that_still_lacks_its_verdict_keeps_waiting(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    one = scene.graded()
    send(scene, one)
    Stay.objects.update(entry=Entry.JUDGE_ERROR)
    then(provider, reply("Still nothing."), reply("Nor now."))
    again(scene, one)
    assert (one.outcome, waiting()) == ("unscored", {one.pk})


def test_one_that_somebody_took_out_does_not_come_back_by_itself(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    scene.set(**scene.dataset.grading.settings, review_by_person="not_passed")
    one = scene.graded()
    assert waiting() == {one.pk}
    withdraw_from_review(scene.actor("builder"), dataset_id=scene.dataset.pk, score_ids=[one.pk])
    then(provider, reply("Still nothing."), reply("Nor now."))
    again(scene, one)
    assert (one.outcome, waiting()) == ("unscored", set())


@pytest.mark.spec("RV-45", "RV-D25")
def test_while_a_failed_answer_is_graded_again_no_lesser_one_takes_its_place(scene: Scene) -> None:
    failed, unscored = scene.graded(WRONG), scene.score()
    send(scene, failed)
    Score.objects.filter(pk=failed.pk).update(state="waiting", outcome="")
    Score.objects.filter(pk=unscored.pk).update(claims=99)
    grade(unscored)
    send(scene, unscored)
    assert waiting() == {failed.pk}


def test_the_queue_and_the_results_are_stored_together(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.set(review_by_person="all")
    one = scene.score(WRONG)

    def broken(_score_ids: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(grading, "tell_of_grading", broken)
    with pytest.raises(RuntimeError):
        grade(one)
    assert Score.objects.get(pk=one.pk).state == "waiting"


def test_an_answer_of_an_agent_that_is_gone_keeps_its_own_place(scene: Scene) -> None:
    one = scene.graded(WRONG)
    send(scene, one)
    scene.agent.delete()
    assert waiting() == {one.pk}
    send_to_review(scene.actor("owner"), dataset_id=scene.dataset.pk, score_ids=[one.pk])
    assert Stay.objects.count() == 1
    given: Any = {"dataset_id": scene.dataset.pk, "score_id": one.pk}
    decide(scene.actor("owner"), **given, decision="fail", revision=0)
    withdraw_decision(scene.actor("owner"), **given, revision=1)
    assert len(set(Stay.objects.values_list("agent_key", flat=True))) == 1


def test_most_gradings_cost_one_question(scene: Scene, django_assert_num_queries: Any) -> None:
    scores = [scene.graded(WRONG) for _number in range(3)]
    Score.objects.update(origin="stored", graded_at=timezone.now() - timedelta(days=1))
    with django_assert_num_queries(1):
        follow_graded([one.pk for one in scores])
