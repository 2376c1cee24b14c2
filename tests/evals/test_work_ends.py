"""Why test runs end before their end, and what stays of them (EV-D14, EV-D20, EV-D26, EV-D27, EV-D31, EV-35)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, Member, Organisation
from activity.models import Run
from agents.models import Agent, AgentVersion, LanguageModel
from evals.logic import causes
from evals.logic.results import Sum
from evals.models import Attempt, EvalRun, EvalState
from evals.operations import acting, shift, slices
from evals.operations.cancelling import cancel_eval
from evals.operations.completion import end_early
from evals.operations.resuming import resume_eval
from evals.operations.work import work_on
from evals.queries.listed_runs import costs_of
from evals.queries.results import results_of
from evals.queries.totals import totals_of
from scoring.logic.findings import Reason
from scoring.logic.settings import Settings
from scoring.models import Score
from tests.agents.provider_server import Answer, FakeProvider, completion, error
from tests.cast import Cast
from tests.evals.working import GOOD, WorkScene, answering, questions
from tests.scoring.judges import make_judge

COST = Decimal("0.000048")


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with answering() as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider)


def why(run: EvalRun) -> Reason | None:
    return Reason.of_json(run.cause)


# --- Access is asked again before each batch


def member_leaves(scene: WorkScene) -> None:
    Member.objects.filter(pk=scene.cast.builder.pk).update(left_at=timezone.now())


def role(name: str) -> Callable[[WorkScene], None]:
    def change(scene: WorkScene) -> None:
        Member.objects.filter(pk=scene.cast.builder.pk).update(role=name)

    return change


def agent_is_archived(scene: WorkScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(state="archived")


def agent_goes(scene: WorkScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).delete()


def version_goes(scene: WorkScene) -> None:
    AgentVersion.objects.filter(agent=scene.agent).delete()


LOST = [
    (member_leaves, causes.NO_MEMBER),
    (role("member"), causes.MAY_NOT_READ_RUNS),
    (role("viewer"), causes.MAY_NOT_READ_RUNS),
    (agent_is_archived, causes.AGENT_ARCHIVED),
    (agent_goes, causes.AGENT_GONE),
    (version_goes, causes.AGENT_GONE),
]


@pytest.mark.spec("EV-D14", "EV-28")
@pytest.mark.parametrize(("lose", "cause"), LOST)
def test_a_lost_permission_stops_the_run_as_failed(
    scene: WorkScene, lose: Callable[[WorkScene], None], cause: Reason
) -> None:
    run = scene.start()
    lose(scene)
    scene.worked(run)
    assert (run.state, why(run)) == (EvalState.FAILED, cause)
    assert scene.provider.asked == []
    assert scene.states(run) == ["cancelled"] * 3


@pytest.mark.spec("EV-D14")
def test_access_is_asked_again_during_the_run_and_what_was_graded_stays(
    scene: WorkScene, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 1
    monkeypatch.setattr(slices, "BATCH_SECONDS", 0.0)
    asked = []

    def allowed_now(*given: Any, **named: Any) -> Any:
        asked.append(1)
        if len(asked) == 2:
            member_leaves(scene)
        return acting.allowed_now(*given, **named)

    monkeypatch.setattr(slices, "allowed_now", allowed_now)
    run = scene.worked(scene.start())
    assert (run.state, why(run)) == (EvalState.FAILED, causes.NO_MEMBER)
    assert 1 <= scene.states(run).count("done") <= 2
    assert scene.outcomes(run).count("pass") == scene.states(run).count("done")
    assert scene.states(run).count("cancelled") == 3 - scene.states(run).count("done")


def loses(scope: str) -> Callable[[ApiKey], Any]:
    every = {"datasets:view", "datasets:run", "agents:view", "agents:run", "runs:view"}
    return lambda key: ApiKey.objects.filter(pk=key.pk).update(permissions=sorted(every - {scope}))


KEYS: list[tuple[Callable[[ApiKey], Any], Reason]] = [
    (lambda key: key.delete(), causes.KEY_DELETED),
    (lambda key: ApiKey.objects.filter(pk=key.pk).update(revoked_at=timezone.now()), causes.KEY_REVOKED),
    (
        lambda key: ApiKey.objects.filter(pk=key.pk).update(expires_at=timezone.now() - timedelta(seconds=1)),
        causes.KEY_EXPIRED,
    ),
    (lambda key: Member.objects.filter(pk=key.member_id).update(left_at=timezone.now()), causes.NO_MEMBER),
    (loses("runs:view"), causes.MAY_NOT_READ_RUNS),
    (loses("datasets:run"), causes.MAY_NOT_RUN_DATASET),
    (loses("agents:run"), causes.MAY_NOT_RUN_AGENT),
]


@pytest.mark.spec("EV-D14", "EV-D65")
@pytest.mark.parametrize(("lose", "cause"), KEYS)
def test_a_key_that_is_lost_stops_the_run_that_it_started(
    scene: WorkScene, lose: Callable[[ApiKey], Any], cause: Reason
) -> None:
    key = ApiKey.objects.create(member=scene.cast.builder, prefix="ck_", key_hash="0" * 64)
    run = scene.start(actor=Actor.of_key(key))
    lose(key)
    scene.worked(run)
    assert (run.state, why(run)) == (EvalState.FAILED, cause)


@pytest.mark.spec("EV-D14")
def test_attempts_that_were_taken_up_keep_their_agent_when_nothing_waits_any_more(scene: WorkScene) -> None:
    run = scene.start()
    settings = Settings.of_json(run.snapshot.settings)
    before = acting.allowed_now(run, settings)
    assert before.prepared is not None
    assert acting.allowed_now(run, settings, before, answers=False).prepared is before.prepared
    assert acting.allowed_now(run, settings, answers=False).prepared is None


# --- Errors that are all alike


@pytest.mark.spec("EV-D20")
def test_a_wrong_key_does_not_cost_a_whole_run(cast: Cast) -> None:
    with answering(lambda question: error(401, f"Wrong key (request {question[-1]}1a)")) as provider:
        scene = WorkScene(cast, provider, cases=20)
        run = scene.run()
    cause = why(run)
    assert (run.state, cause and cause.text, cause and cause.values["count"]) == (
        EvalState.FAILED,
        causes.FIRST_FAILED,
        10,
    )
    assert cause is not None
    assert "does not take this key (status 401)" in cause.values["error"]
    assert 10 <= len(provider.asked) < 20
    assert "cancelled" in scene.states(run)


@pytest.mark.spec("EV-D20")
def test_twenty_errors_in_a_row_end_the_run_and_different_ones_do_not(cast: Cast, settings: Any) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 1

    def answer(question: str) -> str | Answer:
        number = int(question.split()[-1])
        if number < 3:
            return GOOD
        return error(400, f"reason {'x' * number}") if number < 24 else error(401, "no")

    with answering(answer) as provider:
        scene = WorkScene(cast, provider, cases=50)
        run = scene.run()
    cause = why(run)
    assert cause is not None
    assert (run.state, cause.text) == (EvalState.FAILED, causes.ROW_FAILED)
    assert 44 <= len(provider.asked) <= 46


# --- Cancelling


@pytest.mark.spec("EV-D26")
def test_cancelling_lets_calls_under_way_finish_and_cancels_the_rest(
    scene: WorkScene, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 2
    settings.EVAL_LEASE_SECONDS = 1.2
    for number in range(3, 8):
        scene.add(f"Question {number}")
    monkeypatch.setattr(scene.provider, "script", lambda _asked: Answer(completion(GOOD), slow=0.3))
    run = scene.start(baseline=None)
    _cancelled_after(scene, run, monkeypatch, pulses=3)
    scene.worked(run)
    done = scene.states(run).count("done")
    assert (run.state, run.cause, run.review) == (EvalState.CANCELLED, None, None)
    assert 1 <= done <= 5
    assert scene.states(run).count("cancelled") == 8 - done
    assert len(scene.provider.asked) == done


@pytest.mark.spec("EV-D26")
def test_what_does_not_finish_in_time_is_cancelled(
    scene: WorkScene, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EVAL_LEASE_SECONDS = 1.2
    monkeypatch.setattr(shift, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(scene.provider, "script", lambda _asked: Answer(hangs=True))
    run = scene.start()
    _cancelled_after(scene, run, monkeypatch, pulses=3)
    scene.worked(run)
    assert (run.state, scene.states(run)) == (EvalState.CANCELLED, ["cancelled"] * 3)


def one_call_and_then_silence(asked: dict[str, Any]) -> Answer:
    """A model that calls a tool, and says nothing any more once it was told of it."""
    if any(turn["role"] == "tool" for turn in asked["messages"]):
        return Answer(hangs=True)
    call = {"id": "c-1", "type": "function", "function": {"name": "none", "arguments": "{}"}}
    body = completion("", tool_calls=[call])
    body["choices"][0]["finish_reason"] = "tool_calls"
    return Answer(body)


@pytest.mark.spec("EV-D26", "EV-D38")
def test_what_a_call_cost_that_cancelling_cut_off_is_in_the_runs_total(
    scene: WorkScene, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EVAL_LEASE_SECONDS = 1.2
    monkeypatch.setattr(shift, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(scene.provider, "script", one_call_and_then_silence)
    run = scene.start()
    _cancelled_after(scene, run, monkeypatch, pulses=3)
    scene.worked(run)
    assert scene.states(run) == ["cancelled"] * 3
    in_activity = Run.objects.filter(kind="eval")
    assert in_activity.count() == 3
    paid = sum((one.cost or 0 for one in in_activity), Decimal(0))
    assert paid > 0
    assert totals_of(results_of(run)).spending.total == costs_of([run])[run.pk] == Sum(paid)
    assert set(Attempt.objects.values_list("agent_run", flat=True)) == set(in_activity.values_list("pk", flat=True))


@pytest.mark.spec("EV-D24", "EV-D38")
def test_what_tries_cost_that_took_too_long_is_in_the_runs_total(
    scene: WorkScene, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EVAL_ATTEMPT_TIMEOUT_SECONDS = 0.4
    monkeypatch.setattr(scene.provider, "script", one_call_and_then_silence)
    run = scene.run()
    assert scene.states(run) == ["error"] * 3
    paid = sum((one.cost or 0 for one in Run.objects.filter(kind="eval")), Decimal(0))
    assert Run.objects.filter(kind="eval").count() == 6
    assert costs_of([run])[run.pk] == Sum(paid)


def _cancelled_after(scene: WorkScene, run: EvalRun, monkeypatch: pytest.MonkeyPatch, *, pulses: int) -> None:
    """Cancel it at one of its worker's signs of life."""
    pulse, count = slices.Slice.pulse, []

    def cancelling(work: slices.Slice, **named: Any) -> int:
        count.append(1)
        if len(count) == pulses:
            cancel_eval(scene.actor("builder"), eval_id=run.pk)
        return pulse(work, **named)

    monkeypatch.setattr(slices.Slice, "pulse", cancelling)


# --- Money


@pytest.mark.spec("EV-D27", "EV-D28")
@pytest.mark.parametrize("places", [1, 4])
def test_the_cost_limit_is_never_passed_by_more_than_the_calls_in_flight(
    cast: Cast, settings: Any, places: int
) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = places
    with answering() as provider:
        scene = WorkScene(cast, provider, cases=20)
        run = scene.run(max_cost_usd=COST * 7)
        assert (run.state, why(run)) == (EvalState.STOPPED, Reason(causes.COST_LIMIT, {"limit": "0.000336"}))
        assert 7 <= len(provider.asked) <= 7 + places - 1
        resume_eval(scene.actor("builder"), eval_id=run.pk, max_cost=None)
        scene.worked(run)
    assert (run.state, len(provider.asked)) == (EvalState.COMPLETED, 20)


@pytest.mark.spec("EV-D27", "EV-D28")
def test_answers_that_the_judge_was_not_asked_about_wait_for_the_resumed_run(cast: Cast, settings: Any) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 1
    with answering() as provider:
        scene = WorkScene(cast, provider, cases=6)
        scene.judged()
        run = scene.run(max_cost_usd=COST * 3)
        assert run.state == EvalState.STOPPED
        assert set(scene.states(run)) == {"done", "cancelled"}
        assert not Score.objects.filter(state="waiting").exists()
        resume_eval(scene.actor("builder"), eval_id=run.pk, max_cost=None)
        scene.worked(run)
    assert (run.state, scene.outcomes(run)) == (EvalState.COMPLETED, ["pass"] * 6)
    assert sorted(questions(provider)) == [f"Question {number}" for number in range(6)]
    assert len(provider.asked) == 12


@pytest.mark.spec("EV-D15", "EV-19", "EV-D16")
def test_a_budget_that_is_used_up_stops_the_run(scene: WorkScene, settings: Any) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 1
    LanguageModel.objects.filter(pk=scene.model.pk).update(input_price=1000, output_price=0)
    run = scene.start()
    Organisation.objects.filter(pk=scene.cast.kettle.pk).update(monthly_budget=Decimal("0.01"))
    scene.worked(run)
    cause = why(run)
    assert cause is not None
    assert (run.state, cause.text) == (EvalState.STOPPED, causes.BUDGET)
    assert scene.states(run) == ["done", "cancelled", "cancelled"]
    assert len(scene.provider.asked) == 1


@pytest.mark.spec("EV-D15")
def test_a_used_up_budget_of_the_judge_stops_the_run(scene: WorkScene) -> None:
    scene.judged()
    run = scene.start()
    Agent.objects.filter(helper="judge").update(monthly_budget=0)
    scene.worked(run)
    assert (run.state, why(run)) == (EvalState.STOPPED, causes.JUDGE_BUDGET)


# --- The judge of the whole run


@pytest.mark.spec("EV-D31")
def test_a_release_with_another_judge_prompt_ends_the_run(scene: WorkScene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.judged()
    run = scene.start()
    monkeypatch.setattr(acting, "JUDGE_TASK_VERSION", 1_000)
    scene.worked(run)
    assert (run.state, why(run)) == (EvalState.FAILED, causes.PROMPT_CHANGED)
    assert scene.provider.asked == []


@pytest.mark.spec("EV-33", "EV-35", "EV-34")
def test_a_judge_that_is_published_again_does_not_change_a_run_that_has_begun(scene: WorkScene) -> None:
    scene.judged()
    judge = make_judge(scene.cast.owner, scene.judge_model, instructions="Be strict.", visibility="organisation")
    scene.judge_by(scene.judge_model, agent=str(judge.pk))
    run = scene.start()
    first = AgentVersion.objects.get(agent=judge)
    AgentVersion.objects.create(agent=judge, number=2, spec=first.spec | {"instructions": "Be mild."})
    Agent.objects.filter(pk=judge.pk).update(newest_version=2)
    scene.worked(run)
    assert run.state == EvalState.COMPLETED
    assert set(Score.objects.values_list("pin_hash", flat=True)) == {run.pin_hash}
    assert {score.pin["judge_version"] for score in Score.objects.all()} == {1}


@pytest.mark.spec("EV-35", "EV-D31")
def test_a_judging_model_that_became_another_ends_the_run(scene: WorkScene) -> None:
    scene.judged()
    run = scene.start()
    assert scene.judge_model is not None
    LanguageModel.objects.filter(pk=scene.judge_model.pk).update(name="judge-2")
    scene.worked(run)
    assert (run.state, why(run)) == (EvalState.FAILED, Reason(causes.JUDGE_CHANGED, {"fields": "model"}))


def test_a_run_that_has_ended_is_not_worked_on_and_not_ended_again(scene: WorkScene) -> None:
    run = scene.start()
    end_early(run, EvalState.FAILED, causes.STALLED)
    end_early(run, EvalState.STOPPED, causes.JUDGE_BUDGET)
    work_on(run.pk)
    run.refresh_from_db()
    assert (run.state, why(run)) == (EvalState.FAILED, causes.STALLED)
    assert scene.provider.asked == []


def test_a_run_that_is_deleted_is_nobodys_work(scene: WorkScene) -> None:
    run = scene.start()
    key = run.pk
    run.delete()
    work_on(key)
    assert (scene.provider.asked, Attempt.objects.count()) == ([], 0)
