"""Working on test runs: answers, grades, states, and each way in which a run ends (EV-D12 to EV-D34)."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from activity.models import Conversation, Message, Run, RunKind
from agents.models import Spending
from datasets.models import CaseRevision
from evals.models import Attempt, EvalState
from evals.operations import queueing, shift, slices
from evals.operations.storing import store_answers
from evals.operations.work import work_on
from scoring.models import Score
from tests.activity.agents_that_answer import find_order
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider
from tests.cast import Cast
from tests.evals.working import WorkScene, answering, questions


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with answering(lambda question: "No idea." if "1" in question else "You have 30 days.") as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider)


@pytest.mark.spec("EV-7", "EV-8", "EV-9", "EV-13", "EV-14", "EV-16", "EV-D13", "EV-D17")
def test_every_case_is_answered_and_graded_and_the_run_completes(scene: WorkScene) -> None:
    run = scene.run()
    assert (run.state, run.cause) == (EvalState.COMPLETED, None)
    assert run.started_at is not None
    assert run.finished_at is not None
    assert scene.outcomes(run) == ["pass", "fail", "pass"]
    assert scene.states(run) == ["done"] * 3
    assert sorted(questions(scene.provider)) == ["Question 0", "Question 1", "Question 2"]
    runs = list(Run.objects.filter(kind=RunKind.EVAL))
    assert (len(runs), Conversation.objects.count()) == (3, 3)
    for attempt in Attempt.objects.filter(run=run).select_related("score", "agent_run"):
        assert attempt.score is not None
        assert attempt.agent_run is not None
        assert (attempt.score.run_id, attempt.score.is_pinned, attempt.score.origin) == (
            attempt.agent_run_id,
            True,
            "eval",
        )
        assert (attempt.tries, attempt.worker, attempt.leased_until) == (1, "", None)
        assert attempt.cost == attempt.agent_run.cost == Decimal("0.000048")
    assert not Score.objects.filter(state="waiting").exists()


@pytest.mark.spec("EV-D25", "EV-34", "EV-35")
def test_a_judge_grades_with_the_pin_of_the_run(scene: WorkScene) -> None:
    scene.judged()
    run = scene.run()
    assert run.state == EvalState.COMPLETED
    assert scene.outcomes(run) == ["pass", "fail", "pass"]
    assert set(Score.objects.values_list("pin_hash", flat=True)) == {run.pin_hash}


@pytest.mark.spec("EV-9", "EV-22")
def test_earlier_turns_begin_the_conversation(scene: WorkScene) -> None:
    history = ({"role": "user", "content": "Hello."}, {"role": "assistant", "content": "How can I help?"})
    scene.add("Can I return it?", history=history)
    scene.run()
    said = [[turn["content"] for turn in sent["messages"]] for sent in scene.provider.asked]
    assert ["Answer briefly.", "Hello.", "How can I help?", "Can I return it?"] in said


@pytest.mark.spec("EV-D33", "EV-D1")
def test_repeats_are_attempts_of_their_own(scene: WorkScene) -> None:
    run = scene.run(repeats=2)
    assert Counter(questions(scene.provider)) == {f"Question {number}": 2 for number in range(3)}
    assert sorted(Attempt.objects.filter(run=run).values_list("number", flat=True)) == [1, 1, 1, 2, 2, 2]


@pytest.mark.spec("EV-D12", "EV-15")
def test_a_blocked_write_counts_as_a_call_that_the_agent_made(cast: Cast) -> None:
    call = {"id": "c-1", "type": "function", "function": {"name": "cancel_order", "arguments": '{"number": 12}'}}

    def script(asked: dict[str, Any]) -> Answer:
        said = [turn["content"] for turn in asked["messages"] if turn["role"] == "tool"]
        body = completion(f"Told: {said[0]}") if said else completion("", tool_calls=[call])
        body["choices"][0]["finish_reason"] = "stop" if said else "tool_calls"
        return Answer(body)

    with fake_provider(script=script) as provider, fake_provider(Answer({})) as shop:
        scene = WorkScene(cast, provider, cases=0)
        scene.add(
            "Cancel order 12.", checks=(), expected_tool_calls=({"tool": "cancel_order", "args": {"number": 12}},)
        )
        scene.publish(2, tools=[find_order(shop, name="cancel_order", read_only=False)])
        run = scene.run()
    assert (run.state, scene.outcomes(run), shop.asked) == (EvalState.COMPLETED, ["pass"], [])
    score = Score.objects.get()
    assert [(one["tool"], one["outcome"]) for one in score.calls] == [("cancel_order", "blocked")]


@pytest.mark.spec("EV-D19", "EV-D23")
def test_an_error_is_unscored_and_no_fail_of_the_agent(cast: Cast) -> None:
    with answering(lambda question: error(400, "bad") if "1" in question else "30 days") as provider:
        scene = WorkScene(cast, provider)
        run = scene.run()
    assert run.state == EvalState.COMPLETED
    assert scene.states(run) == ["done", "error", "done"]
    assert Counter(questions(provider))["Question 1"] == 1
    failed = Attempt.objects.get(run=run, state="error")
    assert failed.error["values"]["error"].startswith("The provider refuses the request (status 400). bad")
    assert (failed.score, failed.answered_at, bool(failed.error_key)) == (None, None, True)
    assert failed.agent_run is not None
    assert failed.agent_run.status == "failed"


@pytest.mark.spec("EV-D19")
@pytest.mark.parametrize("limit", ["max_steps", "seconds"])
def test_a_limit_of_the_agents_own_is_graded_as_an_empty_answer(cast: Cast, limit: str) -> None:
    call = {"id": "c-1", "type": "function", "function": {"name": "none", "arguments": "{}"}}
    body = completion("30 days so far.", tool_calls=[call])
    body["choices"][0]["finish_reason"] = "tool_calls"
    with answering(lambda _question: Answer(body, slow=0 if limit == "max_steps" else 1.5)) as provider:
        scene = WorkScene(cast, provider, cases=1)
        scene.publish(2, **{limit: 1})
        run = scene.run()
    assert (run.state, scene.outcomes(run)) == (EvalState.COMPLETED, ["fail"])
    assert Score.objects.get().answer == ""
    assert Run.objects.get().status in ("max_steps", "timed_out")


@pytest.mark.spec("EV-D24")
def test_an_attempt_that_takes_too_long_is_tried_once_more(cast: Cast, settings: Any) -> None:
    settings.EVAL_ATTEMPT_TIMEOUT_SECONDS = 0.4
    with answering(lambda _question: Answer(completion("30 days"), slow=1)) as provider:
        scene = WorkScene(cast, provider, cases=1)
        run = scene.run()
    attempt = Attempt.objects.get()
    assert (run.state, attempt.state, attempt.tries) == (EvalState.COMPLETED, "error", 2)
    assert attempt.error["values"] == {"seconds": 0.4}
    assert len(provider.asked) == 2


@pytest.mark.spec("EV-20", "EV-21", "EV-D28")
def test_a_case_whose_text_is_erased_before_it_is_asked_is_left_out(scene: WorkScene) -> None:
    run = scene.start()
    CaseRevision.objects.filter(pk=scene.revisions[1].pk).update(anonymised_at=timezone.now())
    scene.worked(run)
    assert (run.state, scene.outcomes(run)) == (EvalState.COMPLETED, ["pass", "pass"])
    assert run.left_out == [{"case": str(scene.revisions[1].case_id), "cause": "anonymised"}]


@pytest.mark.spec("EV-21", "ACC-D35")
def test_an_answer_to_a_case_erased_meanwhile_is_not_kept_and_its_cost_is_counted(
    scene: WorkScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def erased(*given: Any) -> Any:
        if any(each.task.revision_id == scene.revisions[1].pk for each in given[-1]):
            CaseRevision.objects.filter(pk=scene.revisions[1].pk).update(anonymised_at=timezone.now())
        return store_answers(*given)

    run = scene.start()
    monkeypatch.setattr(slices, "store_answers", erased)
    scene.worked(run)
    assert (run.state, scene.outcomes(run)) == (EvalState.COMPLETED, ["pass", "pass"])
    assert not Message.objects.filter(text="Question 1").exists()
    assert Spending.objects.get(agent=scene.agent).usd == Decimal("0.000048") * 3


@pytest.mark.spec("EV-D30")
def test_a_slice_ends_and_leaves_the_rest_to_the_next_job(
    scene: WorkScene, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 1
    settings.EVAL_LEASE_SECONDS = 1.2
    monkeypatch.setattr(shift, "SLICE_SECONDS", 0.2)
    monkeypatch.setattr(scene.provider, "script", lambda _asked: Answer(completion("30 days"), slow=0.25))
    jobs: list[Any] = []
    monkeypatch.setattr(queueing, "enqueue_named", lambda _name, **ids: jobs.append(ids))
    run = scene.start()
    work_on(run.pk)
    assert 1 <= scene.states(run).count("done") < 3
    assert scene.states(run).count("pending") == 3 - scene.states(run).count("done")
    assert set(map(tuple, map(dict.items, jobs))) == {(("run_id", run.pk), ("turn", 1))}
    scene.worked(run)
    assert (run.state, scene.states(run), len(scene.provider.asked)) == (EvalState.COMPLETED, ["done"] * 3, 3)
