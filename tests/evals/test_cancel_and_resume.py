"""Ending a test run early and going on with it (EV-D26 to EV-D28, EV-D54, EV-36, EV-37)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry
from agents.models import Agent, AgentVersion
from agents.operations.spending import record_cost
from core.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound
from datasets.models import CaseRevision
from datasets.operations.cases import delete_cases, edit_case
from evals.models import Attempt, EvalItem, EvalRun
from evals.operations.cancelling import cancel_eval
from evals.operations.resuming import KEEP, resume_eval
from scoring.logic.findings import Evaluator, EvaluatorResult, State
from scoring.models import Score, ScoreAttempt
from tests.cast import Cast
from tests.evals.starts import StartScene, publish
from tests.scoring.judges import make_judge, make_judge_model

ADDRESS = "http://127.0.0.1:9"
NO_VERDICT = [EvaluatorResult(Evaluator.CHECKS, True, State.NO_VERDICT).as_json()]


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    found: list[UUID] = []
    monkeypatch.setattr("evals.operations.waking.enqueue_named", lambda _name, run_id: found.append(run_id))
    return found


def cancel(scene: StartScene, run: EvalRun, who: str = "builder", actor: Actor | None = None) -> EvalRun:
    return cancel_eval(actor or scene.actor(who), eval_id=run.pk)


def resume(scene: StartScene, run: EvalRun, who: str = "builder", **given: Any) -> EvalRun:
    return resume_eval(scene.actor(who), eval_id=run.pk, **given)


def states(run: EvalRun) -> list[str]:
    rows = Attempt.objects.filter(run=run).order_by("item__position", "number")
    return list(rows.values_list("state", flat=True))


def set_states(run: EvalRun, state: str, *attempts: str) -> EvalRun:
    """The run and its attempts in their order, in these states; those from `answered` on have an answer."""
    rows = Attempt.objects.filter(run=run).order_by("item__position", "number")
    for attempt, own in zip(rows, attempts, strict=True):
        at = timezone.now() if own in ("answered", "grading", "done") else None
        Attempt.objects.filter(pk=attempt.pk).update(state=own, answered_at=at)
    EvalRun.objects.filter(pk=run.pk).update(state=state)
    run.refresh_from_db()
    return run


# --- Cancelling


@pytest.mark.spec("EV-D26", "EV-D16")
def test_a_queued_run_is_cancelled_at_once(scene: StartScene, woken: list[UUID]) -> None:
    run = cancel(scene, scene.start())
    run.refresh_from_db()
    assert (run.state, states(run)) == ("cancelled", ["cancelled", "cancelled"])
    assert run.finished_at is not None
    assert woken == [run.pk]


@pytest.mark.spec("EV-D26")
@pytest.mark.parametrize("state", ["running", "confirming"])
def test_what_is_under_way_may_finish_and_nothing_new_starts(scene: StartScene, woken: list[UUID], state: str) -> None:
    run = set_states(scene.start(), state, "answering", "pending")
    cancel(scene, run)
    run.refresh_from_db()
    assert (run.state, states(run), run.finished_at) == ("cancelling", ["answering", "cancelled"], None)
    assert woken == [run.pk, run.pk]


@pytest.mark.spec("EV-D26")
def test_cancelling_again_changes_nothing(scene: StartScene) -> None:
    run = set_states(scene.start(), "running", "answering", "pending")
    cancel(scene, run)
    assert cancel(scene, run).state == "cancelling"
    assert AuditEntry.objects.filter(action="eval.cancelled").count() == 1


@pytest.mark.parametrize("state", ["cancelled", "stopped", "failed", "completed"])
def test_a_run_that_has_ended_is_not_cancelled(scene: StartScene, state: str) -> None:
    run = scene.ended("pass", state=state)
    with pytest.raises(Conflict) as refused:
        cancel(scene, run)
    assert refused.value.code == "eval_ended"


@pytest.mark.spec("EV-D54", "EV-D53", "EV-32")
def test_whoever_has_datasets_run_may_cancel_and_who_cannot_see_it_finds_none(scene: StartScene) -> None:
    run = scene.start()
    for who in ("stranger", "colleague", "viewer"):
        with pytest.raises(NotFound):
            cancel(scene, run, who)
    reading = ApiKey.objects.create(
        member=scene.cast.builder, prefix="k", key_hash="h", permissions=["runs:view", "datasets:view"]
    )
    with pytest.raises(NotAllowed):
        cancel(scene, run, actor=Actor.of_key(reading))
    assert cancel(scene, run, "operator").state == "cancelled"


# --- Resuming: who and when


@pytest.mark.spec("EV-D28")
@pytest.mark.parametrize("state", ["queued", "running", "confirming", "cancelling", "completed"])
def test_only_what_ended_before_its_end_is_resumed(scene: StartScene, state: str) -> None:
    run = set_states(scene.start(), state, "pending", "pending")
    refused_resume(scene, run, Conflict, "eval_not_resumable")


def refused_resume(scene: StartScene, run: EvalRun, error: type[DomainError], code: str = "", **given: Any) -> Any:
    """Refused, and nothing has changed."""
    before = (EvalRun.objects.filter(pk=run.pk).values().get(), states(run))
    who = given.pop("who", "builder")
    with pytest.raises(error) as caught:
        resume(scene, run, who, **given)
    assert getattr(caught.value, "code", "") == code
    assert (EvalRun.objects.filter(pk=run.pk).values().get(), states(run)) == before
    return caught.value


@pytest.mark.spec("EV-D54", "EV-32")
@pytest.mark.parametrize("who", ["stranger", "colleague", "viewer"])
def test_who_cannot_see_a_run_cannot_resume_it(scene: StartScene, who: str) -> None:
    refused_resume(scene, scene.ended("pass", state="stopped"), NotFound, who=who)


@pytest.mark.spec("EV-D54")
@pytest.mark.parametrize("scopes", [["runs:view", "datasets:view"], ["runs:view", "datasets:run"]])
def test_resuming_needs_what_a_start_needs(scene: StartScene, scopes: list[str]) -> None:
    run = scene.ended("pass", state="stopped")
    key = ApiKey.objects.create(member=scene.cast.builder, prefix="k", key_hash="h", permissions=scopes)
    with pytest.raises(NotAllowed):
        resume_eval(Actor.of_key(key), eval_id=run.pk)


def archive_run(scene: StartScene, run: EvalRun) -> None:
    EvalRun.objects.filter(pk=run.pk).update(archived_at=timezone.now())


def delete_version(scene: StartScene, run: EvalRun) -> None:
    AgentVersion.objects.filter(agent=scene.agent).delete()


def delete_agent(scene: StartScene, run: EvalRun) -> None:
    scene.agent.delete()


def archive_agent(scene: StartScene, run: EvalRun) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(state="archived")


def remove_model(scene: StartScene, run: EvalRun) -> None:
    scene.model.delete()


def spend_all(scene: StartScene, run: EvalRun) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(monthly_budget=Decimal(1))
    record_cost(agent_id=scene.agent.pk, usd=Decimal(1), at=timezone.now())


@pytest.mark.spec("EV-D28")
@pytest.mark.parametrize(
    ("forbid", "code"),
    [
        (archive_run, "eval_archived"),
        (delete_version, "agent_version_gone"),
        (delete_agent, "agent_version_gone"),
        (archive_agent, "agent_archived"),
        (remove_model, "agent_cannot_answer"),
        (spend_all, "over_budget"),
    ],
)
def test_a_state_that_forbids_resuming_is_a_conflict_with_its_code(
    scene: StartScene, forbid: Callable[[StartScene, EvalRun], None], code: str
) -> None:
    run = scene.ended("pass", state="failed")
    forbid(scene, run)
    refused_resume(scene, run, Conflict, code)


# --- Resuming: by the same judge (EV-35 to EV-37)


def judged_run(scene: StartScene, judge: Agent | None = None, **choices: Any) -> EvalRun:
    if judge is None:
        scene.judge_by(make_judge_model(scene.cast.owner, ADDRESS))
    else:
        scene.judge_by(None, agent=str(judge.pk))
    run = scene.start(**choices)
    EvalRun.objects.filter(pk=run.pk).update(state="stopped")
    return run


@pytest.mark.spec("EV-D28", "EV-36")
def test_a_judge_that_was_published_again_cannot_go_on(scene: StartScene) -> None:
    judge = make_judge(scene.cast.owner, scene.model)
    run = judged_run(scene, judge)
    publish(judge, 2, scene.model, temperature=0)
    refused_resume(scene, run, Conflict, "judge_republished")


@pytest.mark.spec("EV-D28", "EV-37", "EV-D31")
def test_a_judge_whose_task_has_changed_cannot_go_on(scene: StartScene) -> None:
    run = judged_run(scene)
    EvalRun.objects.filter(pk=run.pk).update(pin={**(run.pin or {}), "task_version": 0})
    refused_resume(scene, run, Conflict, "judge_prompt_changed")


@pytest.mark.spec("EV-D28")
def test_a_judge_that_cannot_grade_now_cannot_go_on_unless_unscored_answers_were_allowed(scene: StartScene) -> None:
    judge = make_judge(scene.cast.owner, scene.model)
    strict, lenient = judged_run(scene, judge), judged_run(scene, judge, allow_unscored=True, baseline=None)
    Agent.objects.filter(pk=judge.pk).update(state="archived")
    refused_resume(scene, strict, Conflict, "judge_archived")
    assert resume(scene, lenient).pin_hash == lenient.pin_hash


@pytest.mark.spec("EV-D28", "EV-35")
def test_the_first_version_of_a_judge_that_had_none_grades_from_then_on(scene: StartScene) -> None:
    judge = make_judge(scene.cast.owner, None)
    run = judged_run(scene, judge, allow_unscored=True)
    publish(judge, 1, scene.model, temperature=0)
    resumed = resume(scene, run)
    assert run.pin is not None
    assert resumed.pin is not None
    assert (run.pin["judge_version"], resumed.pin["judge_version"]) == (None, 1)
    assert resumed.pin_hash != run.pin_hash


@pytest.mark.spec("EV-D28", "EV-33")
def test_settings_that_changed_meanwhile_are_no_matter(scene: StartScene) -> None:
    run = judged_run(scene)
    scene.judge_by(None)
    assert resume(scene, run).snapshot_id == run.snapshot_id


# --- Resuming: what is done


@pytest.mark.spec("EV-D28", "EV-D29")
def test_only_attempts_without_a_stored_answer_run_again(scene: StartScene, woken: list[UUID]) -> None:
    for number in range(4):
        scene.add(f"More {number}")
    run = set_states(scene.start(), "cancelled", "pending", "error", "cancelled", "answered", "grading", "done")
    Attempt.objects.filter(run=run, state="error").update(error={"text": "No", "values": {}}, error_key="k", losses=3)
    resumed = resume(scene, run)
    assert states(run) == ["pending", "pending", "pending", "answered", "answered", "done"]
    fresh = Attempt.objects.filter(run=run, item__position=2).get()
    assert (fresh.error, fresh.error_key, fresh.losses, fresh.done_at) == (None, "", 0, None)
    assert (resumed.state, resumed.cause, resumed.finished_at) == ("queued", None, None)
    assert woken == [run.pk, run.pk]


@pytest.mark.spec("EV-D28")
def test_answers_without_a_verdict_are_graded_again_and_the_others_stay(scene: StartScene) -> None:
    for number in range(2):
        scene.add(f"More {number}")
    run = scene.ended("pass", "unscored", "unscored", "unscored", state="stopped")
    scores = [attempt.score for attempt in Attempt.objects.filter(run=run).order_by("item__position")]
    keys = [score.pk for score in scores if score]
    for key in keys[1:]:
        Score.objects.filter(pk=key).update(results=NO_VERDICT, answer="30 days", agent=None, has_agent=False)
    Score.objects.filter(pk=keys[2]).update(decided="pass")  # a person ruled
    Score.objects.filter(pk=keys[3]).update(answer_cut=True)  # what was graded is gone
    resume(scene, run)
    assert states(run) == ["done", "answered", "done", "done"]
    assert list(Score.objects.filter(state="waiting").values_list("pk", flat=True)) == [keys[1]]
    assert ScoreAttempt.objects.get().score_id == keys[1]


@pytest.mark.spec("EV-20", "EV-D28")
def test_cases_anonymised_meanwhile_are_left_out(scene: StartScene) -> None:
    scene.add("Third")
    run = set_states(scene.start(repeats=2), "stopped", *["done", "pending"], *["pending"] * 4)
    for revision in scene.revisions:
        CaseRevision.objects.filter(pk=revision.pk).update(anonymised_at=timezone.now())
    resumed = resume(scene, run)
    assert resumed.left_out == [{"case": str(scene.revisions[1].case_id), "cause": "anonymised"}]
    assert states(run) == ["done", "cancelled", "pending", "pending"]
    assert AuditEntry.objects.get(action="eval.resumed").details["left_out"] == 2


@pytest.mark.spec("EV-20", "EV-D28")
def test_a_run_whose_cases_were_all_anonymised_is_not_resumed(scene: StartScene) -> None:
    run = set_states(scene.start(), "stopped", "pending", "pending")
    CaseRevision.objects.filter(dataset=scene.dataset).update(anonymised_at=timezone.now())
    refused_resume(scene, run, Conflict, "no_case_left")
    assert EvalItem.objects.filter(run=run).count() == 2


@pytest.mark.spec("BC-19", "EV-D28", "EV-33")
def test_a_resumed_run_asks_the_cases_as_they_were_when_it_was_started(scene: StartScene) -> None:
    edited, deleted = scene.add("Edited", tags=("smoke",)), scene.add("Deleted", tags=("smoke",))
    run = cancel(scene, scene.start(tags=("smoke",), repeats=3))
    here: dict[str, Any] = {"dataset_id": scene.dataset.pk}
    edit_case(scene.actor("builder"), **here, case_id=edited.case_id, changes={"input": "Edited since"})
    delete_cases(scene.actor("builder"), **here, case_ids=[deleted.case_id])
    scene.add("Later", tags=("smoke",))
    resume(scene, run)
    items = EvalItem.objects.filter(run=run).order_by("position")
    assert list(items.values_list("revision", "revision__input")) == [(edited.pk, "Edited"), (deleted.pk, "Deleted")]
    assert (run.version, states(run)) == (4, ["pending"] * 6)


@pytest.mark.spec("EV-D14")
def test_it_goes_on_as_whoever_resumed_it_and_keeps_who_started_it(scene: StartScene) -> None:
    key = ApiKey.objects.create(member=scene.cast.builder, prefix="k", key_hash="h")
    run = scene.start(actor=Actor.of_key(key))
    cancel(scene, run)
    resumed = resume(scene, run, "operator")
    assert (resumed.started_by, resumed.key, resumed.with_key) == (scene.cast.operator, None, False)
    assert (resumed.kept["starter"], resumed.kept["key"]) == (str(scene.cast.builder.pk), str(key.pk))


# --- Resuming: the cost limit (EV-D27)


def spent_run(scene: StartScene, limit: str) -> EvalRun:
    """Stopped with one answer of 0.60 USD of two."""
    run = scene.ended("pass", state="stopped", max_cost=Decimal(limit))
    Attempt.objects.filter(run=run, state="done").update(cost=Decimal("0.6"))
    return run


@pytest.mark.spec("EV-D27")
def test_a_limit_that_would_stop_it_at_once_is_to_be_raised(scene: StartScene) -> None:
    run = spent_run(scene, "1.00")
    assert "$0.60" in str(refused_resume(scene, run, Conflict, "cost_limit"))
    error = refused_resume(scene, run, Invalid, max_cost=Decimal("1.20"))
    assert [problem.field for problem in error.problems] == ["max_cost_usd"]
    assert resume(scene, run, max_cost=Decimal("1.21")).max_cost == Decimal("1.21")


@pytest.mark.spec("EV-D27")
@pytest.mark.parametrize("limit", [Decimal(0), Decimal(-1), Decimal("1e12")])
def test_a_limit_that_is_none_is_refused(scene: StartScene, limit: Decimal) -> None:
    error = refused_resume(scene, spent_run(scene, "1.00"), Invalid, max_cost=limit)
    assert [problem.field for problem in error.problems] == ["max_cost_usd"]


@pytest.mark.spec("EV-D27")
def test_a_limit_can_be_kept_or_taken_away(scene: StartScene) -> None:
    assert resume(scene, spent_run(scene, "9"), max_cost=KEEP).max_cost == 9
    assert resume(scene, spent_run(scene, "1"), max_cost=None).max_cost is None


def test_a_run_that_is_not_there_is_not_found(scene: StartScene) -> None:
    for act in (cancel_eval, resume_eval):
        with pytest.raises(NotFound):
            act(scene.actor("owner"), eval_id=uuid4())
