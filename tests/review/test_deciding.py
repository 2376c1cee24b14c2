"""People rule on answers and take their rulings back (RV-53 to RV-61, RV-D28 to RV-D32)."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.operations.sharing import share
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from review.logic.queue import Sending
from review.models import Decision, Entry, Leaving
from review.operations.deciding import Decided, Withdrawn, decide, withdraw_decision
from review.operations.sending import send_to_review
from review.queries.decisions import decision_of, decision_state, history_of, offer_to_decide, stay_of, stays_of
from scoring.models import Score
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import readable_score
from tests.cast import Cast
from tests.evals.runs import EvalScene

SECRET = "sk-proj-" + "Ab3dEf7hIj1kLm9nOp5qRs2tUv8wXy4zAb3dEf7hIj1kLm9nOp5q"


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=2)


def score(scene: EvalScene, case: int = 0, outcome: str = "fail", age: int = 0, **fields: Any) -> Score:
    graded_at = timezone.now() - timedelta(minutes=age)
    return scene.score(scene.revisions[case].case_id, outcome, graded_at=graded_at, **fields)


def rule(scene: EvalScene, one: Score | UUID, decision: str = "pass", by: str = "builder", **more: Any) -> Decided:
    score_id = one.pk if isinstance(one, Score) else one
    given = {"revision": 0} | more
    return decide(scene.actor(by), dataset_id=scene.dataset.pk, score_id=score_id, decision=decision, **given)


def take_back(scene: EvalScene, one: Score, revision: int | None = 1, by: str = "builder", **more: Any) -> Withdrawn:
    return withdraw_decision(scene.actor(by), dataset_id=scene.dataset.pk, score_id=one.pk, revision=revision, **more)


def send(scene: EvalScene, *scores: Score) -> None:
    send_to_review(scene.actor(), dataset_id=scene.dataset.pk, score_ids=[one.pk for one in scores])


def stored(one: Score) -> Score:
    return Score.objects.get(pk=one.pk)


@pytest.mark.spec("RV-53", "RV-54", "RV-55", "RV-59", "RV-D28", "RV-D30")
@pytest.mark.parametrize("outcome", ["fail", "pass", "unscored"])
@pytest.mark.parametrize("decision", ["pass", "fail"])
def test_a_ruling_counts_and_what_grading_found_stays(scene: EvalScene, outcome: str, decision: str) -> None:
    one = score(scene, outcome=outcome, results=[])
    done = rule(scene, one, decision, note="  It names the days.\r\nAll of them. ")
    assert (done.revision, done.is_new, done.left_queue) == (1, True, False)
    after = stored(one)
    assert (after.final_outcome, after.final, after.outcome) == (decision, decision, outcome)
    act = Decision.objects.get()
    assert (act.ruling, act.automatic, act.note) == (decision, outcome, "It names the days.\nAll of them.")
    assert act.by == scene.cast.members["builder"]
    entry = AuditEntry.objects.get(action="review.decided")
    assert entry.details == {"score": str(one.pk), "decision": decision, "revision": 1, "credentials_hidden": 0}


@pytest.mark.spec("RV-D24", "RV-D28", "RV-D29")
def test_an_answer_that_waited_leaves_the_queue_decided(scene: EvalScene) -> None:
    one = score(scene)
    send(scene, one)
    assert stay_of(one) is not None
    assert rule(scene, one).left_queue
    assert (stay_of(one), stays_of(one)[0].leaving) == (None, Leaving.DECIDED)


@pytest.mark.spec("RV-57", "RV-58", "RV-D31")
def test_a_ruling_taken_back_waits_even_where_it_never_waited(scene: EvalScene) -> None:
    one = score(scene)
    rule(scene, one, note="Wrong days.")
    back = take_back(scene, one)
    assert (back.sending, back.ruling, back.note, back.revision) == (Sending.WAITING, "pass", "Wrong days.", 2)
    after = stored(one)
    assert (after.decided, after.final_outcome) == ("", "fail")
    stay = stay_of(one)
    assert stay is not None
    assert (stay.entry, stay.by) == (Entry.DECISION_WITHDRAWN, scene.cast.members["builder"])
    entry = AuditEntry.objects.get(action="review.decision_withdrawn")
    assert entry.details == {"score": str(one.pk), "revision": 2}


@pytest.mark.spec("RV-49", "RV-43", "RV-D31")
def test_a_ruling_taken_back_does_not_push_out_a_newer_answer(scene: EvalScene) -> None:
    old, new = score(scene, age=5), score(scene)
    rule(scene, old)
    send(scene, new)
    assert take_back(scene, old).sending is Sending.OUTRANKED
    assert (stay_of(old), stored(old).decided) == (None, "")
    assert stay_of(new) is not None


@pytest.mark.spec("RV-49", "RV-41", "RV-46")
def test_a_ruling_taken_back_takes_the_place_of_an_answer_that_nothing_graded(scene: EvalScene) -> None:
    old, new = score(scene, age=5), score(scene, outcome="unscored")
    rule(scene, old)
    send(scene, new)
    assert take_back(scene, old).sending is Sending.WAITING
    assert [stay.leaving for stay in stays_of(new)] == [Leaving.DISPLACED]


@pytest.mark.spec("RV-D30")
def test_the_second_of_two_sees_the_first_and_may_overrule_it(scene: EvalScene) -> None:
    one = score(scene)
    rule(scene, one, "pass", note="Fine.")
    with pytest.raises(Conflict) as refused:
        rule(scene, one, "fail", by="owner")
    assert refused.value.code == "decision_changed"
    current = refused.value.data["current"]
    assert (refused.value.data["revision"], current["decision"], current["note"], current["by"]) == (
        1, "pass", "Fine.", "Builder",
    )  # fmt: skip
    assert rule(scene, one, "fail", by="owner", revision=1).revision == 2
    assert stored(one).final_outcome == "fail"
    acts = history_of(scene.actor("owner"), one)
    assert [(act.revision, act.ruling, act.by_name) for act in acts] == [(2, "fail", "Owner"), (1, "pass", "Builder")]
    assert AuditEntry.objects.filter(action="review.decided").count() == 2


@pytest.mark.spec("RV-D30")
def test_one_taken_back_meanwhile_is_told_as_that(scene: EvalScene) -> None:
    one = score(scene)
    rule(scene, one)
    take_back(scene, one)
    with pytest.raises(Conflict) as refused:
        rule(scene, one, "fail", revision=1)
    assert (refused.value.code, refused.value.data) == ("decision_changed", {"revision": 2, "current": None})
    with pytest.raises(Conflict) as refused:
        take_back(scene, one, revision=2)
    assert refused.value.code == "not_decided"
    assert rule(scene, one, "fail", revision=2).revision == 3
    assert [act.ruling for act in history_of(scene.actor(), one)] == ["fail", "", "pass"]


@pytest.mark.spec("RV-D30")
def test_the_very_same_ruling_is_no_further_act(scene: EvalScene) -> None:
    one = score(scene)
    rule(scene, one, note="Fine.")
    again = rule(scene, one, note="Fine. ", revision=1)
    assert (again.revision, again.is_new) == (1, False)
    assert Decision.objects.count() == AuditEntry.objects.filter(action="review.decided").count() == 1
    assert rule(scene, one, note="Better.", revision=1).is_new


@pytest.mark.spec("RV-D32")
def test_a_note_has_its_credentials_hidden_and_a_limit(scene: EvalScene) -> None:
    one = score(scene)
    limit = LIMITS.review_note_characters
    with pytest.raises(Invalid) as refused:
        rule(scene, one, note="x" * (limit + 1))
    assert refused.value.problems[0].field == "note"
    done = rule(scene, one, note=f"The answer tells {SECRET}")
    assert done.hidden == 1
    assert SECRET not in Decision.objects.get().note
    assert AuditEntry.objects.get(action="review.decided").details["credentials_hidden"] == 1
    # As a form sends it: each line end counts once.
    assert rule(scene, one, note="x\r\n" * (limit // 2), revision=1).is_new


@pytest.mark.spec("RV-D28")
@pytest.mark.parametrize("decision", ["", "unscored", "Pass"])
def test_nothing_else_can_be_ruled(scene: EvalScene, decision: str) -> None:
    with pytest.raises(Invalid) as refused:
        rule(scene, score(scene), decision)
    assert refused.value.problems[0].field == "decision"


@pytest.mark.spec("RV-72", "RV-73", "RV-D43")
def test_deciding_takes_editing(scene: EvalScene) -> None:
    one = score(scene)
    for act in (lambda by: rule(scene, one, by=by), lambda by: take_back(scene, one, by=by)):
        with pytest.raises(NotAllowed):
            act("viewer")
        with pytest.raises(NotFound):
            act("stranger")
    with pytest.raises(NotFound):
        rule(scene, uuid4())
    with pytest.raises(NotFound):
        rule(scene, score(EvalScene(scene.cast)))
    assert [offer_to_decide(scene.actor(who), one).is_shown for who in ("builder", "viewer")] == [True, False]


@pytest.mark.spec("RV-74", "RV-75", "RV-77", "RV-D29")
@pytest.mark.parametrize("lack", ["runs", "agent"])
def test_who_may_not_read_the_answer_neither_decides_nor_reads_the_note(scene: EvalScene, lack: str) -> None:
    one, who = score(scene), "builder"
    rule(scene, one, note="It names Anna.")
    if lack == "agent":
        scene.agent.delete()
    else:
        who = "colleague"
        share(scene.actor(), scene.dataset, member_id=scene.cast.colleague.pk, level="edit")
    for act in (rule, take_back):
        with pytest.raises(NotAllowed):
            act(scene, one, revision=1, by=who)
    one, reader = stored(one), scene.actor(who)
    shown, read = decision_of(reader, one), decision_of(scene.actor("owner"), one)
    assert shown is not None
    assert (shown.ruling, shown.note, shown.is_readable) == ("pass", "", False)
    assert [act.note for act in history_of(reader, one)] == [""]
    assert not offer_to_decide(reader, one).is_shown
    assert read is not None
    assert read.note == "It names Anna."


@pytest.mark.spec("RV-D15", "RV-16")
def test_a_ruling_made_on_what_may_no_longer_be_read_like_that_is_refused(scene: EvalScene) -> None:
    one = score(scene)
    mark = mask_mark(readable_score(scene.actor(), one))
    Score.objects.filter(pk=one.pk).update(answer_removed_at=timezone.now())
    for act in (lambda: rule(scene, one, mark=mark), lambda: take_back(scene, one, mark=mark)):
        with pytest.raises(Conflict) as refused:
            act()
        assert refused.value.code == "mask_changed"
    other = score(scene, case=1)
    assert rule(scene, other, mark=mask_mark(readable_score(scene.actor(), other))).is_new


@pytest.mark.spec("RV-D29")
def test_what_nobody_can_read_any_more_is_not_decided_but_a_ruling_may_go(scene: EvalScene) -> None:
    one = score(scene)
    rule(scene, one)
    Score.objects.filter(pk=one.pk).update(answer_removed_at=timezone.now())
    with pytest.raises(Conflict) as refused:
        rule(scene, one, "fail", revision=1)
    assert refused.value.code == "answer_removed"
    assert offer_to_decide(scene.actor(), stored(one)).reason
    assert take_back(scene, one).revision == 2


def test_of_an_undecided_answer_there_is_nothing(scene: EvalScene) -> None:
    one = score(scene)
    assert (decision_of(scene.actor(), one), history_of(scene.actor(), one), stays_of(one)) == (None, [], [])
    assert decision_state(scene.actor(), one).revision == 0


@pytest.mark.parametrize(
    ("automatic", "ruling", "overrules"),
    [("fail", "pass", True), ("pass", "fail", True), ("pass", "pass", False), ("unscored", "pass", False)],
)
def test_it_overrules_where_grading_said_something_else(
    scene: EvalScene, automatic: str, ruling: str, overrules: bool
) -> None:
    one = score(scene, outcome=automatic)
    rule(scene, one, ruling)
    shown = decision_of(scene.actor(), one)
    assert shown is not None
    assert (shown.overrules, shown.is_withdrawal) == (overrules, False)
