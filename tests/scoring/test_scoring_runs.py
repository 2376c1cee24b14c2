"""Laying down a score of a run (SC-53, SC-54, SC-162, SC-163, SC-D53), and what its grading by rules stores."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, Member
from activity.models import Run, RunStatus
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from datasets.logic.credentials import MARKER
from datasets.logic.drafts import CaseDraft
from datasets.operations.cases import delete_cases, edit_case
from scoring.models import GradingSnapshot, Score
from scoring.operations.scores import score_run
from tests.activity.rows import make_run
from tests.cast import Cast
from tests.scoring.scored import CASE, CHECK, Scene, grade, make_customer, states_of, verdicts_of

KEY = "sk-proj-Ab3dEf6hIj9kLmNoPqRsTuVwXyZ0123456789abcd"


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def ask(scene: Scene, run: Run, who: str = "builder", **given: Any) -> Score:
    named: dict[str, Any] = {"dataset_id": scene.dataset.pk, "run_id": run.pk, "case_id": scene.case_id}
    return score_run(scene.actor(who), **{**named, **given})


@pytest.mark.spec("SC-45", "SC-146", "SC-162", "ACC-61")
def test_a_waiting_score_keeps_where_it_came_from_and_the_settings_of_that_moment(scene: Scene, cast: Cast) -> None:
    person = make_customer(cast)
    score = scene.score(person=person)
    kept = Score.objects.get(pk=score.pk)
    assert (kept.state, kept.outcome, kept.origin) == ("waiting", "", "activity")
    assert (kept.agent, kept.person, kept.asked_by) == (scene.agent, person, cast.builder)
    assert (kept.version, kept.case_id, kept.model) == (1, scene.case_id, "small-1")
    assert (str(kept.cost), kept.seconds) == ("0.0200000000", 1.5)
    assert kept.answer == "You can return it within 30 days of delivery."
    assert kept.snapshot.settings["checks"] == {"enabled": True, "must_pass": True, "defaults": []}
    entry = AuditEntry.objects.get(action="score.asked")
    assert entry.details == {
        "score": str(score.pk),
        "run": str(score.run_id),
        "case": str(scene.case_id),
        "version": 1,
    }


@pytest.mark.spec("SC-4", "SC-10", "SC-11")
def test_rules_decide_the_outcome_of_the_runs_answer(scene: Scene) -> None:
    good, bad = scene.graded(), scene.graded("No returns.")
    assert (good.state, good.outcome, good.number, verdicts_of(good)) == ("done", "pass", 1.0, {"check-1": "pass"})
    assert (bad.outcome, bad.number, verdicts_of(bad)) == ("fail", 0.0, {"check-1": "fail"})
    assert (good.pin, good.pin_hash, good.judge_trouble, good.judge_run) == (None, "", "", None)
    assert good.graded_at is not None
    assert states_of(good) == {"checks": "pass", "tool_calls": "not_applicable"}


@pytest.mark.spec("SC-5", "SC-90", "SC-91")
def test_the_runs_calls_are_compared_and_kept_with_their_end(scene: Scene) -> None:
    calls = ({"tool": "refund", "args": {"order": 12}},)
    case_id = scene.add(CaseDraft(input="Refund me", expected_tool_calls=calls))
    call = {"id": "c1", "name": "refund", "arguments": {"order": 12, "why": "late"}}
    steps: list[dict[str, Any]] = [
        {"role": "assistant", "text": "Let me do it.", "tool_calls": [call]},
        {"role": "tool", "text": "stopped", "tool_call_id": "c1", "tool_name": "refund", "outcome": "blocked"},
    ]
    score = scene.graded("Done.", case_id=case_id, steps=steps)
    assert (score.outcome, states_of(score)["tool_calls"]) == ("pass", "pass")
    assert score.calls == [{"tool": "refund", "arguments": {"order": 12, "why": "late"}, "outcome": "blocked"}]
    assert score.answer == "Let me do it.\n\nDone."


@pytest.mark.spec("SC-148", "ACC-61", "ACC-68")
def test_the_copy_is_bounded_and_hides_credentials_before_it_is_cut(scene: Scene) -> None:
    call = {"id": "c1", "name": "login", "arguments": {"password": "hunter2-Kettle!", "user": "jo"}}
    steps = [{"role": "assistant", "text": f"Your key is {KEY}.", "tool_calls": [call]}]
    score = scene.score("x" * 9_000, steps=steps)
    assert len(score.answer) == 8_000
    assert score.answer_cut
    assert KEY not in score.answer
    assert MARKER.search(score.answer)
    assert "hunter2" not in str(score.calls)
    assert score.calls[0]["arguments"]["user"] == "jo"
    at_the_cut = scene.score("y" * 7_980 + f" {KEY} and more")
    assert KEY[:12] not in at_the_cut.answer


@pytest.mark.spec("SC-78")
def test_the_whole_answer_is_graded_and_not_its_copy(scene: Scene) -> None:
    score = scene.graded("x" * 20_000 + " 30 days")
    assert (score.outcome, score.answer_cut) == ("pass", True)


@pytest.mark.spec("SC-44", "SC-46", "SC-54")
def test_a_queued_score_is_graded_by_the_settings_and_the_version_of_its_asking(scene: Scene) -> None:
    score = scene.score()
    scene.set(checks={"enabled": False}, tool_calls={"enabled": True})
    changes = {"checks": ({"type": "contains", "value": "never"},)}
    edit_case(scene.actor("builder"), dataset_id=scene.dataset.pk, case_id=scene.case_id, changes=changes)
    assert grade(score).outcome == "pass"
    scene.set(checks={"defaults": [CHECK]})
    later = scene.score()
    assert later.version == 2
    assert later.snapshot_id != score.snapshot_id
    assert GradingSnapshot.objects.filter(dataset=scene.dataset).count() == 2


@pytest.mark.spec("SC-4")
def test_default_checks_are_held_against_every_case(scene: Scene) -> None:
    scene.set(checks={"defaults": [{"type": "contains", "value": "please"}]})
    score = scene.graded()
    assert (score.outcome, verdicts_of(score)) == ("fail", {"check-1": "pass", "default-1": "fail"})


@pytest.mark.spec("SC-D53")
def test_an_older_version_is_graded_against_where_it_is_named(scene: Scene) -> None:
    changes = {"checks": ({"type": "contains", "value": "never"},)}
    edit_case(scene.actor("builder"), dataset_id=scene.dataset.pk, case_id=scene.case_id, changes=changes)
    run = scene.run()
    assert grade(ask(scene, run)).outcome == "fail"
    assert grade(ask(scene, run, version=1)).outcome == "pass"
    with pytest.raises(NotFound):
        ask(scene, run, version=3)


# --- Refusals


@pytest.mark.spec("SC-166", "SC-167", "SC-D53")
@pytest.mark.parametrize("who", ["stranger", "member"])
def test_a_run_out_of_sight_is_not_there(scene: Scene, who: str) -> None:
    """The member may run the dataset, but without `runs:view` no run is theirs to see."""
    with pytest.raises(NotFound):
        ask(scene, scene.run(), who)


@pytest.mark.spec("SC-166")
def test_who_may_only_read_the_dataset_may_not_score(scene: Scene) -> None:
    with pytest.raises(NotAllowed):
        ask(scene, scene.run(), "viewer")


@pytest.mark.spec("SC-D53")
def test_a_case_that_the_version_does_not_hold_is_not_there(scene: Scene, cast: Cast) -> None:
    run = scene.run()
    for unknown in (uuid4(), Scene(cast, name="Other").case_id):
        with pytest.raises(NotFound):
            ask(scene, run, case_id=unknown)
    scene.add(CaseDraft(input="Another?", checks=(CHECK,)))
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[scene.case_id])
    with pytest.raises(NotFound):
        ask(scene, run)
    assert ask(scene, run, version=1).version == 1


@pytest.mark.spec("SC-163", "SC-D53")
@pytest.mark.parametrize("kind", ["production", "helper"])
def test_a_run_without_a_transcript_is_refused(scene: Scene, kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        ask(scene, scene.run("", kind=kind))
    assert [problem.field for problem in refused.value.problems] == ["run_id"]
    assert not Score.objects.exists()


def test_a_run_that_still_goes_on_is_refused(scene: Scene) -> None:
    with pytest.raises(Conflict) as refused:
        ask(scene, scene.run(status=RunStatus.RUNNING))
    assert refused.value.code == "answer_unfinished"


@pytest.mark.spec("SC-53", "SC-D53")
def test_nothing_to_check_is_refused_and_stores_nothing(scene: Scene) -> None:
    case_id = scene.add(CaseDraft(input="q", reference_answer="a"))
    with pytest.raises(Invalid) as refused:
        ask(scene, scene.run(), case_id=case_id)
    assert [problem.field for problem in refused.value.problems] == ["case_id"]
    assert not Score.objects.exists()
    assert not GradingSnapshot.objects.exists()


@pytest.mark.spec("ACC-50")
def test_an_erased_case_is_refused(scene: Scene) -> None:
    run, actor = scene.run(), scene.actor("builder")
    delete_cases(actor, dataset_id=scene.dataset.pk, case_ids=[scene.case_id], remove_text=True)
    with pytest.raises(Invalid) as refused:
        ask(scene, run, version=1)
    assert [problem.field for problem in refused.value.problems] == ["case_id"]


def test_the_answer_to_somebody_who_is_being_erased_is_refused(scene: Scene, cast: Cast) -> None:
    person = make_customer(cast)
    run = scene.run(person=person)
    person.erased_at = timezone.now()
    person.save()
    with pytest.raises(Conflict) as refused:
        ask(scene, run)
    assert refused.value.code == "person_erased"


# --- What becomes of it later


@pytest.mark.spec("SC-152", "ACC-64")
def test_a_score_stays_without_its_link_where_its_run_is_deleted(scene: Scene) -> None:
    graded, waiting = scene.graded(), scene.score("Within 30 days, too.")
    Run.objects.filter(pk__in=[graded.run_id, waiting.run_id]).delete()
    graded.refresh_from_db()
    assert (graded.run_id, graded.outcome, graded.answer != "") == (None, "pass", True)
    waiting = Score.objects.get(pk=waiting.pk)
    assert grade(waiting).outcome == "pass", "it is graded by the copy, which is whole"


def test_a_waiting_score_whose_answer_is_gone_is_unscored_and_says_so(scene: Scene) -> None:
    score = scene.score("x" * 9_000)
    Run.objects.filter(pk__in=[score.run_id]).delete()
    score = grade(Score.objects.get(pk=score.pk))
    assert (score.outcome, states_of(score)["checks"]) == ("unscored", "no_verdict")
    assert score.why["text"] == "The answer is gone, so it could not be graded"


def test_a_score_outlives_the_agent_and_the_membership_of_who_asked(scene: Scene, cast: Cast) -> None:
    score = scene.graded()
    scene.agent.delete()
    score.refresh_from_db()
    assert (score.agent_id, score.has_agent) == (None, True)
    Member.objects.filter(pk=cast.builder.pk).update(left_at=timezone.now())
    assert grade(score).outcome == "pass", "what is graded already stays"


def test_each_asking_makes_a_score_of_its_own(scene: Scene) -> None:
    run = scene.run()
    first, second = ask(scene, run), ask(scene, run)
    assert first.pk != second.pk
    assert first.snapshot_id == second.snapshot_id


def test_the_answer_is_the_last_exchange_of_the_run(scene: Scene) -> None:
    steps: list[dict[str, Any]] = [
        {"role": "assistant", "text": "Within 30 days."},
        {"role": "user", "text": "And without the box?"},
    ]
    run = make_run(scene.agent, CASE.input, "No.", steps=steps)
    assert scene.score_of(run).answer == "No."


def test_ids_of_nothing_are_not_there(scene: Scene) -> None:
    with pytest.raises(NotFound):
        score_run(scene.actor("builder"), dataset_id=uuid4(), run_id=uuid4(), case_id=UUID(int=0))
