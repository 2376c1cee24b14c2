"""Sending scores to review and taking them out, by people, integrators and test runs (RV-27 to RV-52)."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import AuditEntry, Person
from core.errors import Invalid, NotAllowed, NotFound
from evals.places import review_sender
from review.models import Entry, Leaving, Stay
from review.operations import queueing
from review.operations.removals import erase_names_of
from review.operations.sending import send_of_run, send_to_review, withdraw_from_review
from scoring.models import Score
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def score(scene: EvalScene, case: int = 0, outcome: str = "fail", age: int = 0, **fields: Any) -> Score:
    graded_at = timezone.now() - timedelta(minutes=age)
    return scene.score(scene.revisions[case].case_id, outcome, graded_at=graded_at, **fields)


def send(scene: EvalScene, *scores: Score | UUID | None, by: str = "builder") -> list[str]:
    ids = [one.pk if isinstance(one, Score) else one for one in scores]
    return [moved.result for moved in send_to_review(scene.actor(by), dataset_id=scene.dataset.pk, score_ids=ids)]


def withdraw(scene: EvalScene, *scores: Score) -> list[str]:
    ids = [one.pk for one in scores]
    return [moved.result for moved in withdraw_from_review(scene.actor(), dataset_id=scene.dataset.pk, score_ids=ids)]


def waiting() -> set[UUID]:
    return set(Stay.objects.filter(left_at=None).values_list("score_id", flat=True))


@pytest.mark.spec("RV-27", "RV-33", "RV-D22", "RV-D24", "EV-45")
def test_what_is_sent_waits_with_why_and_by_whom(scene: EvalScene) -> None:
    first, second = score(scene), score(scene, case=1, outcome="unscored")
    assert send(scene, first, second) == ["waiting", "waiting"]
    stay = Stay.objects.get(score=first)
    assert (stay.entry, stay.by, stay.left_at) == (Entry.SENT, scene.cast.members["builder"], None)
    assert AuditEntry.objects.get(action="review.sent").details == {"scores": [str(first.pk), str(second.pk)]}
    assert send(scene, first, second) == ["already_waiting", "already_waiting"]
    assert AuditEntry.objects.filter(action="review.sent").count() == 1


@pytest.mark.spec("RV-41", "RV-43", "RV-46", "RV-D24")
def test_a_displaced_score_leaves_undecided_and_may_come_back(scene: EvalScene) -> None:
    old, new = score(scene, age=5), score(scene)
    send(scene, old)
    assert send(scene, new) == ["waiting"]
    assert waiting() == {new.pk}
    left = Stay.objects.get(score=old)
    assert left.leaving == Leaving.DISPLACED
    assert left.left_at is not None
    old.refresh_from_db()
    assert old.decided == ""
    assert send(scene, old) == ["outranked"]
    withdraw(scene, new)
    assert send(scene, old) == ["waiting"]


@pytest.mark.spec("RV-39", "RV-D19")
def test_answers_of_other_agents_and_of_none_wait_beside_it(scene: EvalScene) -> None:
    other = make_agent(scene.cast)
    of_one, of_other, of_none = score(scene), score(scene), score(scene)
    Score.objects.filter(pk=of_other.pk).update(agent=other)
    Score.objects.filter(pk=of_none.pk).update(agent=None, has_agent=False)
    assert send(scene, of_one, of_other, of_none) == ["waiting"] * 3
    assert waiting() == {of_one.pk, of_other.pk, of_none.pk}


@pytest.mark.spec("RV-47", "RV-D23")
def test_a_decided_score_is_neither_sent_nor_taken_out(scene: EvalScene) -> None:
    decided, plain = score(scene), score(scene, case=1)
    Score.objects.filter(pk=decided.pk).update(decided="pass")
    assert send(scene, decided) == ["already_decided"]
    assert withdraw(scene, decided, plain) == ["already_decided", "not_waiting"]


@pytest.mark.spec("RV-51", "RV-52", "RV-D23")
def test_what_is_taken_out_stays_an_undecided_score(scene: EvalScene) -> None:
    sent = score(scene)
    send(scene, sent)
    assert withdraw(scene, sent) == ["withdrawn"]
    assert (waiting(), Stay.objects.get().leaving) == (set(), Leaving.WITHDRAWN)
    assert Score.objects.get(pk=sent.pk).final_outcome == "fail"
    assert AuditEntry.objects.get(action="review.withdrawn").details == {"scores": [str(sent.pk)]}


@pytest.mark.spec("RV-35", "RV-36", "RV-D22")
@pytest.mark.parametrize("fault", ["none", "unknown", "no id", "twice", "ungraded", "of another dataset", "too many"])
def test_one_that_cannot_be_sent_refuses_all(scene: EvalScene, fault: str) -> None:
    good = score(scene)
    ids: list[UUID | None] = [good.pk]
    place = "score_ids.1"
    if fault == "none":
        ids, place = [], "score_ids"
    elif fault == "too many":
        ids, place = [uuid4() for _number in range(501)], "score_ids"
    elif fault == "twice":
        ids.append(good.pk)
    elif fault == "ungraded":
        fresh = score(scene, case=1)
        Score.objects.filter(pk=fresh.pk).update(state="waiting", outcome="")
        ids.append(fresh.pk)
    elif fault == "of another dataset":
        ids.append(score(EvalScene(scene.cast)).pk)
    else:
        ids.append(uuid4() if fault == "unknown" else None)
    with pytest.raises(Invalid) as refused:
        send(scene, *ids)
    assert [problem.field for problem in refused.value.problems] == [place]
    assert waiting() == set()


@pytest.mark.spec("RV-72", "RV-73")
def test_sending_takes_editing(scene: EvalScene) -> None:
    one = score(scene)
    with pytest.raises(NotAllowed):
        send(scene, one, by="viewer")
    with pytest.raises(NotFound):
        send(scene, one, by="stranger")


@pytest.mark.spec("RV-28", "RV-29", "RV-30", "EV-41", "EV-42", "EV-44")
def test_a_test_run_sends_by_the_same_rules_and_learns_what_got_no_place(scene: EvalScene) -> None:
    run = scene.run("fail", "unscored", "fail")
    regressed, failed, late = score(scene), score(scene, 1, "unscored", judge_trouble="error"), score(scene, 2, age=9)
    by_hand = score(scene, case=2)
    send(scene, by_hand)
    sender = review_sender()
    assert sender is not None
    with transaction.atomic():
        done = sender(run, [regressed.pk, failed.pk, late.pk])
    assert (done.sent, dict(done.not_sent)) == (2, {late.pk: "outranked"})
    stays = {stay.score_id: stay for stay in Stay.objects.filter(eval_run=run)}
    assert {key: stay.entry for key, stay in stays.items()} == {
        regressed.pk: Entry.REGRESSION,
        failed.pk: Entry.JUDGE_ERROR,
    }
    with transaction.atomic():
        assert send_of_run(run, [regressed.pk, failed.pk]).sent == 0
    assert waiting() == {regressed.pk, failed.pk, by_hand.pk}


@pytest.mark.spec("RV-D21")
def test_a_place_that_somebody_took_meanwhile_is_looked_at_again(
    scene: EvalScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, sent = score(scene, age=5), score(scene)
    looked: list[int] = []
    real = queueing.hold_places

    def late(scores: Any) -> Any:
        """At first nobody waits; then somebody does."""
        looked.append(1)
        if len(looked) > 1:
            return real(scores)
        send(scene, held)
        return {}

    monkeypatch.setattr(queueing, "hold_places", lambda scores: late(scores) if not looked else real(scores))
    assert send(scene, sent) == ["waiting"]
    assert waiting() == {sent.pk}
    assert Stay.objects.get(score=held).leaving == Leaving.DISPLACED


@pytest.mark.spec("RV-40", "RV-D21")
def test_the_database_keeps_one_place_for_a_case_and_an_agent(scene: EvalScene) -> None:
    first, second = score(scene), score(scene)
    send(scene, first)
    taken = Stay.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Stay.objects.create(
            score=second, dataset=scene.dataset, case_id=taken.case_id, agent_key=taken.agent_key, entry=Entry.SENT
        )


def test_an_erased_persons_name_goes_and_the_answer_waits_on(scene: EvalScene) -> None:
    sent = score(scene)
    send(scene, sent)
    person = Person.objects.create(organisation=scene.cast.kettle, member=scene.cast.members["builder"])
    assert erase_names_of(person)["names_on_review"] == 1
    assert (Stay.objects.get().by, waiting()) == (None, {sent.pk})
