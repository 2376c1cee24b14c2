"""Having a judge grade an answer over the real client: calls, runs, cost, pins, failures (SC-9, SC-129 to SC-133)."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import anyio
import pytest

from accounts.models import AuditEntry
from activity.models import Message, Run, RunKind, RunStatus
from agents.logic.targets import Provider
from agents.loop.desk import Desk, run_attended
from agents.models import Agent, AgentVersion, Helper, LanguageModel, Spending
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.causes import Cause
from scoring.logic.findings import Verdict
from scoring.logic.hashes import instructions_hash
from scoring.logic.prompt import JUDGE_TASK_VERSION, TASK_TEXT
from scoring.operations import asking_judge
from scoring.operations.judging import Judged, judge_answer
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider, stream
from tests.cast import Cast
from tests.scoring.judges import (
    ANSWER,
    CASE,
    KEY,
    entry,
    good_reply,
    grading,
    judged,
    judging_settings,
    make_judge,
    make_judge_model,
    picky,
    reply,
    systems,
    verdicts,
)

SECRET = "sk-proj-Ab3dEf6hIj9kLmNoPqRsTuVwXyZ0123456789abcd"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 900}}


@pytest.fixture
def dataset(cast: Cast, settings: Any) -> Dataset:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return create_dataset(cast.actor("builder"), name="Returns")


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider(good_reply()) as server:
        yield server


@pytest.fixture
def model(cast: Cast, dataset: Dataset, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(cast.owner, provider.address)
    return found


def verdict_of(result: Judged) -> dict[str, str]:
    return {finding.id: finding.verdict.value for finding in result.findings}


def causes_of(result: Judged) -> set[str]:
    return {finding.cause for finding in result.findings}


def whys_of(result: Judged) -> set[str]:
    return {finding.why.in_english for finding in result.findings if finding.why}


def failed_by(cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, *answers: Answer) -> Judged:
    provider.answers = list(answers)
    return judged(cast, dataset, judging_settings(model))


# --- Graded


@pytest.mark.spec("SC-9", "SC-97", "SC-D36", "SC-D38")
def test_one_answer_is_one_call_at_temperature_nought_with_the_schema_beside_the_messages(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    result = judged(cast, dataset, judging_settings(model, reference=True))
    (asked,) = provider.asked
    assert (asked["model"], asked["temperature"], asked.get("tools")) == ("judge-1", 0, None)
    schema = asked["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["verdicts"]["items"]["properties"]["grade"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
    }
    assert asked["messages"][0]["content"] == TASK_TEXT
    assert [one["id"] for one in json.loads(asked["messages"][1]["content"])["criteria"]] == [
        "c-1",
        "c-2",
        "reference-answer",
    ]
    assert verdict_of(result) == {"c-1": "pass", "c-2": "pass", "reference-answer": "error"}
    assert result.trouble == "error"


@pytest.mark.spec("SC-D38")
@pytest.mark.parametrize("provider", [Provider.OPENAI, Provider.AZURE])
def test_keywords_that_a_provider_refuses_are_left_out_of_the_schema(provider: Provider) -> None:
    sent = asking_judge.response_format(7, provider)["json_schema"]
    assert sent["schema"]["properties"]["verdicts"]["items"]["properties"]["grade"] == {"type": "integer"}
    assert sent["strict"]


@pytest.mark.spec("SC-95", "SC-146", "SC-147", "PL-25", "BC-37", "SC-D2", "SC-D44")
def test_the_judges_run_has_its_cost_and_the_pin_its_version(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.answers = [reply(verdicts(entry("c-1", 5), entry("c-2", 3)), usage=USAGE)]
    LanguageModel.objects.update(cached_price=Decimal("0.2"))
    result = judged(cast, dataset, judging_settings(model), who="operator")
    assert (verdict_of(result), result.trouble) == ({"c-1": "pass", "c-2": "fail"}, "")
    run = Run.objects.get()
    helper = Agent.objects.get(helper=Helper.JUDGE)
    assert (run.kind, run.status, run.error, run.agent) == (RunKind.HELPER, RunStatus.COMPLETED, "", helper)
    assert (run.started_by, run.conversation, run.question, run.step_count) == (cast.operator, None, "", 1)
    assert (run.input_tokens, run.cached_tokens, run.output_tokens) == (1000, 900, 50)
    assert run.cost == result.cost == Spending.objects.get(agent=helper).usd == Decimal("0.00078")
    assert run.seconds is not None
    assert run.seconds >= 0
    version = AgentVersion.objects.get(agent=helper)
    assert (version.number, version.spec["instructions"], run.agent_version) == (
        JUDGE_TASK_VERSION,
        TASK_TEXT,
        version,
    )
    assert result.pin is not None
    assert (result.pin.judge_id, result.pin.judge_version) == (str(helper.pk), JUDGE_TASK_VERSION)
    assert not Message.objects.exists()


@pytest.mark.spec("SC-D1", "SC-145")
def test_a_judge_agents_run_is_its_own_and_it_is_told_its_instructions_then_the_datasets(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    agent = make_judge(cast.owner, model)
    settings = judging_settings(None, agent=str(agent.pk), instructions="Prices are in euros.")
    result = judged(cast, dataset, settings)
    told = "Be strict.\n\nPrices are in euros."
    assert systems(provider) == [f"{TASK_TEXT}\nInstructions of this dataset:\n{told}"]
    run = Run.objects.get()
    assert (run.agent, run.agent_version) == (agent, AgentVersion.objects.get())
    assert Spending.objects.get().agent == agent
    assert result.pin is not None
    assert result.pin.instructions_hash == instructions_hash(told)


@pytest.mark.spec("BC-37")
def test_a_model_without_prices_costs_an_unknown_sum(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    LanguageModel.objects.update(input_price=None)
    result = judged(cast, dataset, judging_settings(model))
    assert (result.cost, Run.objects.get().cost) == (None, None)


def test_many_answers_are_graded_at_once_over_one_desk(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    def says(asked: dict[str, Any]) -> Answer:
        answer = grading(lambda material, _id: 5 if "good" in material["answer"] else 1)(asked)
        answer.slow = 0.3
        return answer

    results: dict[int, Judged] = {}
    with fake_provider(script=says) as provider:
        settings = judging_settings(make_judge_model(cast.owner, provider.address))

        async def one(desk: Desk[Any], number: int) -> None:
            answer = GradedAnswer(f"Number {number} is {'good' if number % 2 else 'poor'} and says thirty days.")
            results[number] = await judge_answer(
                desk, cast.actor("owner"), dataset=dataset, settings=settings, case=CASE, answer=answer
            )

        async def all_of_them(desk: Desk[Any]) -> None:
            async with anyio.create_task_group() as group:
                for number in range(12):
                    group.start_soon(one, desk, number)

        run_attended(all_of_them)
        assert provider.most_at_once > 4
    for number, result in results.items():
        assert set(verdict_of(result).values()) == {"pass" if number % 2 else "fail"}
    assert Run.objects.count() == 12
    assert AgentVersion.objects.count() == 1


@pytest.mark.spec("SC-D15")
def test_an_empty_answer_without_calls_calls_nobody(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    case = CaseDraft(input="Can I?", counter_example="Never, at no time.")
    result = judged(cast, dataset, judging_settings(model), case=case, answer=GradedAnswer(" \n"))
    assert verdict_of(result) == {"c-1": "fail", "c-2": "fail", "counter-example": "pass"}
    assert result.pin is not None
    assert result.pin.model == "judge-1"
    assert (provider.asked, result.run, result.trouble) == ([], None, "")
    with_calls = GradedAnswer("", (MadeCall("refund", {"order": 12}, "blocked"),))
    provider.answers = [reply(verdicts(entry("c-1", 5), entry("c-2", 4), entry("counter-example", 5)))]
    judged(cast, dataset, judging_settings(model), case=case, answer=with_calls)
    sent = json.loads(provider.asked[0]["messages"][1]["content"])
    assert sent["tool_calls"] == [{"tool": "refund", "arguments": {"order": 12}, "blocked": True}]
    assert "answer" not in sent


def test_nothing_to_ask_about_has_no_pin(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    result = judged(cast, dataset, judging_settings(model, enabled=False))
    assert result == Judged()
    assert not Agent.objects.filter(helper=Helper.JUDGE).exists()


# --- Not asked


@pytest.mark.spec("SC-129", "SC-130", "SC-147", "SC-D42")
def test_where_nobody_can_grade_the_criteria_are_skipped_and_pinned(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Judge", kind="model", helper="judge", monthly_budget=0
    )
    result = judged(cast, dataset, judging_settings(model))
    assert (causes_of(result), whys_of(result)) == ({Cause.BUDGET}, {"The judge's budget is used up"})
    assert (result.trouble, result.run, result.cost, provider.asked) == ("skipped", None, None, [])
    assert result.pin is not None
    assert result.pin.model == "judge-1"


@pytest.mark.spec("SC-122", "SC-D40")
def test_the_counter_example_fails_without_any_judge(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    case = CaseDraft(input="Can I?", counter_example="You can return it within 30 days of delivery.")
    answer = GradedAnswer("You can return it within 30 days")
    result = judged(cast, dataset, judging_settings(None), case=case, answer=answer)
    assert verdict_of(result) == {"c-1": "skipped", "c-2": "skipped", "counter-example": "fail"}


# --- What a provider refuses


@pytest.mark.spec("SC-98", "SC-D4", "SC-D38")
@pytest.mark.parametrize("refused", [("response_format",), ("temperature",), ("temperature", "response_format")])
def test_what_the_provider_refuses_by_name_is_left_out_and_asked_once_more(
    cast: Cast, dataset: Dataset, refused: tuple[str, ...]
) -> None:
    with fake_provider(script=picky(*refused)) as provider:
        settings = judging_settings(make_judge_model(cast.owner, provider.address))
        result = judged(cast, dataset, settings)
    assert set(verdict_of(result).values()) == {"pass"}
    assert len(provider.asked) == len(refused) + 1
    last = provider.asked[-1]
    assert not set(refused) & set(last)
    assert ("JSON Schema of that object:" in last["messages"][0]["content"]) == ("response_format" in refused)
    assert result.pin is not None
    assert result.pin.temperature == (None if "temperature" in refused else 0)
    run = Run.objects.get()
    assert (run.status, run.step_count, run.cost) == (RunStatus.COMPLETED, len(refused) + 1, result.cost)


def test_what_a_provider_refused_is_not_sent_with_the_next_answer(cast: Cast, dataset: Dataset) -> None:
    with fake_provider(script=picky("temperature", "response_format")) as provider:
        settings = judging_settings(make_judge_model(cast.owner, provider.address))
        for _answer in range(3):
            judged(cast, dataset, settings)
    assert len(provider.asked) == 3 + 2


def test_a_refusal_is_forgotten_after_an_hour(cast: Cast, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking_judge.Refused, "KEPT_SECONDS", 0)
    with fake_provider(script=picky("temperature")) as provider:
        settings = judging_settings(make_judge_model(cast.owner, provider.address))
        for _answer in range(2):
            judged(cast, dataset, settings)
    assert len(provider.asked) == 4


@pytest.mark.spec("SC-D38")
def test_a_model_that_takes_no_schema_has_it_in_the_text(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    LanguageModel.objects.update(takes_json_schema=False)
    judged(cast, dataset, judging_settings(model))
    assert "response_format" not in provider.asked[0]
    assert '"maximum":5' in systems(provider)[0]


def test_what_is_refused_again_is_not_asked_for_ever(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    refusal = error(400, "temperature is not supported")
    result = failed_by(cast, dataset, provider, model, refusal)
    assert (len(provider.asked), causes_of(result)) == (2, {Cause.FAILED})


@pytest.mark.spec("PL-25")
def test_the_budget_is_asked_again_before_a_further_call(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_judge, "why_over_budget", lambda _id: "Used up.")
    result = failed_by(cast, dataset, provider, model, error(400, "no response_format"), good_reply())
    assert (len(provider.asked), causes_of(result), result.trouble) == (1, {Cause.BUDGET}, "skipped")
    assert (Run.objects.get().status, Run.objects.get().error) == (RunStatus.OVER_BUDGET, "Used up.")


# --- Failed runs


@pytest.mark.spec("SC-D43", "SC-147", "BC-41")
def test_too_many_requests_are_tried_again_and_then_told_with_status_and_tries(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    slow_down = error(429, "Slow down, little one.", Retry_After="0")
    result = failed_by(cast, dataset, provider, model, slow_down)
    assert len(provider.asked) == 4
    assert (causes_of(result), result.trouble, result.cost) == ({Cause.FAILED}, "error", None)
    (why,) = whys_of(result)
    assert "Status 429, tries: 4. “Slow down, little one.”" in why
    assert result.pin is not None
    assert result.pin.model == "judge-1"
    run = Run.objects.get()
    assert (run.status, run.cost) == (RunStatus.FAILED, None)
    assert "429" in run.error
    assert result.run == run


@pytest.mark.spec("SC-D43")
def test_after_failures_that_pass_the_answer_is_graded(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    gone = error(503, "Busy", Retry_After="0")
    result = failed_by(cast, dataset, provider, model, gone, gone, good_reply())
    assert set(verdict_of(result).values()) == {"pass"}


@pytest.mark.spec("SC-D43", "BC-41")
def test_a_provider_that_hangs_is_given_up_at_the_time_limit(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking_judge, "SECONDS", 0.2)
    monkeypatch.setattr("agents.logic.waiting.WAITS", (0.0, 0.0, 0.0))
    result = failed_by(cast, dataset, provider, model, Answer(hangs=True))
    assert whys_of(result) == {"The judge's run failed: its provider did not answer in time. Tries: 4."}
    assert len(provider.asked) == 4


def test_a_reply_that_breaks_off_is_a_failed_run(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.logic.waiting.WAITS", (0.0, 0.0, 0.0))
    result = failed_by(cast, dataset, provider, model, stream(b'{"choices": [', then="breaks"))
    assert (causes_of(result), result.trouble) == ({Cause.FAILED}, "error")


@pytest.mark.spec("SC-130")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (error(401, "Wrong key"), "does not take the key. Status 401"),
        (error(404, "No model"), "has no such model. Status 404"),
        (Answer({"error": "odd"}), "fault of its own"),
        (Answer(b"<html>"), "fault of its own"),
        (error(400, "Your prompt is odd"), "refuses the request. Status 400"),
    ],
)
def test_each_failure_has_its_words_and_no_further_try(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, answer: Answer, words: str
) -> None:
    result = failed_by(cast, dataset, provider, model, answer)
    (why,) = whys_of(result)
    assert words in why
    assert len(provider.asked) == 1


@pytest.mark.spec("SC-D44")
@pytest.mark.parametrize(
    "answer",
    [
        error(400, "This model's maximum context length is 8192 tokens, response_format included."),
        error(400, "the request exceeds the available context size, try increasing it"),
        error(413, "Payload"),
    ],
)
def test_a_request_that_is_too_long_says_so(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, answer: Answer
) -> None:
    result = failed_by(cast, dataset, provider, model, answer)
    assert whys_of(result) == {"The judge's run failed: its model refuses the request as too long"}
    assert (causes_of(result), len(provider.asked)) == ({Cause.FAILED}, 1)


# --- Replies that cannot be read


@pytest.mark.spec("SC-130", "SC-131", "SC-133", "SC-149", "SC-D39", "ACC-24")
def test_a_reply_that_cannot_be_read_is_kept_at_the_score_and_not_in_the_run(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    said = f"I cannot grade this. The key is {SECRET}. " + "The customer lives in Leipzig. " * 200
    result = failed_by(cast, dataset, provider, model, reply(said))
    assert (causes_of(result), result.trouble, len(provider.asked)) == ({Cause.UNREADABLE}, "error", 1)
    assert result.unreadable_reply.startswith("I cannot grade this.")
    assert len(result.unreadable_reply) == 2000
    assert SECRET not in result.unreadable_reply
    run = Run.objects.get()
    assert run.status == RunStatus.FAILED
    assert run.error == "The reply could not be read. Fields that could not be read: verdicts."
    assert result.cost == run.cost
    assert result.cost


@pytest.mark.spec("SC-133", "ACC-24", "SC-D40")
def test_the_run_names_the_fields_that_could_not_be_read_by_their_places(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    odd = [entry("c-1", 5), entry("c-2", "four"), entry("She lives in Leipzig", 1)]
    result = failed_by(cast, dataset, provider, model, reply(verdicts(*odd)))
    assert verdict_of(result) == {"c-1": "pass", "c-2": "error"}
    run = Run.objects.get()
    assert run.status == RunStatus.COMPLETED
    assert "verdicts.1.grade" in run.error
    assert "verdicts.2.criterion" in run.error
    assert "Leipzig" not in run.error


@pytest.mark.spec("BC-23", "SC-D43")
def test_a_reply_cut_off_at_the_token_limit_is_asked_for_once_more_and_then_an_error_that_says_so(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    cut = reply(verdicts(entry("c-1", 5), entry("c-2", 5)), finish="length")
    result = failed_by(cast, dataset, provider, model, cut)
    assert len(provider.asked) == 2
    assert (set(verdict_of(result).values()), causes_of(result)) == ({"error"}, {Cause.UNREADABLE})
    assert whys_of(result) == {"The judge's reply was cut off at the token limit of its model"}
    run = Run.objects.get()
    assert run.error.startswith("The reply was cut off at the token limit of the model.")
    assert (run.step_count, run.input_tokens, run.cost) == (2, 24, result.cost)
    again = failed_by(cast, dataset, provider, model, cut, good_reply())
    assert set(verdict_of(again).values()) == {"pass"}


def test_a_refusal_is_a_reply_that_cannot_be_read(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    answer = Answer(completion("", refusal="I cannot help with that."))
    result = failed_by(cast, dataset, provider, model, answer)
    assert (causes_of(result), result.unreadable_reply) == ({Cause.UNREADABLE}, "I cannot help with that.")


# --- Cancelled


def test_cancelling_ends_the_call_and_keeps_its_run(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.answers = [Answer(hangs=True)]

    async def given_up(desk: Desk[Any]) -> None:
        with anyio.move_on_after(0.5):
            await judge_answer(
                desk,
                cast.actor("owner"),
                dataset=dataset,
                settings=judging_settings(model),
                case=CASE,
                answer=ANSWER,
            )

    run_attended(given_up)
    assert Run.objects.get().status == RunStatus.CANCELLED


# --- Nothing leaks


@pytest.mark.spec("SC-130", "SC-133", "ACC-24", "BC-46")
def test_a_provider_that_repeats_key_case_and_answer_puts_them_nowhere(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel, caplog: Any, capsys: Any
) -> None:
    case = CaseDraft(input="My name is Ottilie Vandersloot, can I return it?", note=f"Key {SECRET}")
    answer = GradedAnswer("Ottilie Vandersloot lives at Rosengasse 7 in Leipzig, so yes.")

    def repeats(asked: dict[str, Any]) -> Answer:
        words = f"Invalid content for {KEY}: {answer.text} {SECRET}"
        return error(400, words)

    provider.script = repeats
    result = judged(cast, dataset, judging_settings(model), case=case, answer=answer)
    (why,) = whys_of(result)
    run = Run.objects.get()
    entries = " ".join(str(details) for details in AuditEntry.objects.values_list("details", flat=True))
    written = caplog.text + "".join(capsys.readouterr())
    for place in (why, run.error, run.question, entries, written, str(result.pin)):
        for word in (KEY, SECRET, "Ottilie", "Vandersloot", "Rosengasse", "Leipzig"):
            assert word not in place
    assert "Invalid content" in why
    assert SECRET not in json.dumps(provider.asked)


@pytest.mark.spec("SC-149")
def test_credentials_that_a_judge_writes_are_hidden(
    cast: Cast, dataset: Dataset, provider: FakeProvider, model: LanguageModel
) -> None:
    told = entry("c-1", 5, reason=f"It gives the key {SECRET} to anybody.")
    result = failed_by(cast, dataset, provider, model, reply(verdicts(told, entry("c-2", 4))))
    assert SECRET not in json.dumps([finding.as_json() for finding in result.findings])
    assert {finding.verdict for finding in result.findings} == {Verdict.PASS}
