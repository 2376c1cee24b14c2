"""An agent of kind model answers: steps, tools, and each way in which an answer ends (PL-21 to PL-25)."""

import json
import time
from decimal import Decimal
from typing import Any

import pytest

from agents.logic.usage import Usage
from agents.loop.events import Ending, ModelStep, Outcome, TextPiece, ToolStep
from agents.loop.tool_calls import NO_STEPS_LEFT, NOT_WHOLE, TIME_IS_UP
from tests.agents.loops import ASKED, KEY, SECRET, NotingHost, answered, model_agent, tool
from tests.agents.provider_server import Answer, completion, error, fake_provider, piece, says, stream, wants

pytestmark = pytest.mark.usefixtures("loopback_allowed")


@pytest.mark.spec("PL-21", "PL-24")
def test_the_model_is_sent_instructions_skills_conversation_and_tools() -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = model_agent(provider, tool(), skills=(("Politeness", "Say please."),), knowledge=("base",))
        answered(agent, messages=[*ASKED, {"role": "assistant", "content": "Which?"}, *ASKED])
    (sent,) = provider.asked
    assert sent["messages"][0] == {"role": "system", "content": "Be brief.\n\n# Politeness\n\nSay please."}
    assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "user"]
    assert [one["function"]["name"] for one in sent["tools"]] == ["find_order", "search_knowledge"]
    assert "temperature" not in sent
    assert provider.keys == [f"Bearer {KEY}"]


@pytest.mark.spec("PL-23", "BC-37")
def test_a_final_text_completes_it_with_usage_and_cost() -> None:
    with fake_provider(says("It was sent.", usage={"prompt_tokens": 1000, "completion_tokens": 50})) as provider:
        end, host = answered(model_agent(provider))
    assert (end.status, end.error) == (Ending.COMPLETED, "")
    assert host.text == "It was sent."
    (step,) = host.steps
    assert (step.text, step.usage, step.cost) == ("It was sent.", Usage(1000, 0, 50), Decimal("0.0024"))
    assert isinstance(host.events[0], TextPiece)
    assert host.events[-1] is step


@pytest.mark.spec("BC-38")
def test_without_usage_the_cost_is_unknown_and_not_nothing() -> None:
    with fake_provider(says("Yes.", usage=None)) as provider:
        _end, host = answered(model_agent(provider))
    assert (host.steps[0].usage, host.steps[0].cost) == (None, None)


@pytest.mark.spec("PL-22")
def test_a_tool_is_called_with_its_arguments_and_secret_and_the_model_reads_the_result() -> None:
    with (
        fake_provider(Answer({"state": "sent"})) as shop,
        fake_provider(wants(("find_order", {"number": 12}), text="Let me look."), says("It was sent.")) as provider,
    ):
        end, host = answered(model_agent(provider, tool(shop)))
    assert end.status == Ending.COMPLETED
    assert (shop.asked, shop.keys) == ([{"number": 12}], [f"Bearer {SECRET}"])
    first, result, last = host.steps
    assert (first.text, first.tool_calls) == (
        "Let me look.",
        ({"id": "id0", "name": "find_order", "arguments": {"number": 12}},),
    )
    assert (result.call_id, result.name, result.result, result.outcome) == (
        "id0", "find_order", '{"state": "sent"}', Outcome.OK,
    )  # fmt: skip
    assert result.seconds is not None
    assert last.text == "It was sent."
    assert provider.asked[1]["messages"][2:] == [
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                {"id": "id0", "type": "function", "function": {"name": "find_order", "arguments": '{"number": 12}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "id0", "content": '{"state": "sent"}'},
    ]


@pytest.mark.spec("PL-22")
def test_calls_of_one_step_run_side_by_side() -> None:
    with fake_provider(Answer({"n": 1}, slow=0.4)) as shop:
        calls = [("find_order", {"number": number}) for number in range(3)]
        with fake_provider(wants(*calls), says("Done.")) as provider:
            _end, host = answered(model_agent(provider, tool(shop)))
    assert [step.outcome for step in host.tool_steps] == [Outcome.OK] * 3
    assert shop.most_at_once > 1
    ids = [message["tool_call_id"] for message in provider.asked[1]["messages"] if message["role"] == "tool"]
    assert ids == ["id0", "id1", "id2"]


@pytest.mark.spec("PL-22")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("find_order", {"number": "twelve"}), "number: 'twelve' is not of type 'integer'"),
        (("find_order", {}), "'number' is a required property"),
        (("find_order", "{not json"), "the arguments are wrong: line 1"),
        (("find_order", "[12]"), "must be one JSON object"),
        (("find_order", '{"number": 1e999}'), "too large"),
        (("drop_tables", {}), "There is no tool “drop_tables”."),
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_not_executed(call: Any, words: str) -> None:
    with fake_provider(Answer({})) as shop, fake_provider(wants(call), says("Sorry.")) as provider:
        end, host = answered(model_agent(provider, tool(shop)))
    assert (end.status, shop.asked) == (Ending.COMPLETED, [])
    (step,) = host.tool_steps
    assert step.outcome == Outcome.FAILED
    assert words in step.result
    assert provider.asked[1]["messages"][-1]["content"] == step.result


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer({"error": "no such order"}, 404), 'status 404: {"error": "no such order"}'),
        (Answer(b"", 307, {"Location": "https://elsewhere.invalid/"}), "redirects, which is not followed"),
        (Answer({"echo": SECRET}, 500), '{"echo": "[key]"}'),
        (Answer(b"x" * (10 * 1024 * 1024 + 1)), "more than 10485760 bytes"),
    ],
)
def test_a_tool_that_fails_is_told_to_the_model(answer: Answer, words: str) -> None:
    with fake_provider(answer) as shop, fake_provider(wants(("find_order", {"number": 1})), says("Sorry.")) as provider:
        end, host = answered(model_agent(provider, tool(shop)))
    assert end.status == Ending.COMPLETED
    assert host.tool_steps[0].outcome == Outcome.FAILED
    assert words in host.tool_steps[0].result


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        ("http://tool.invalid/", "does not begin with https://"),
        ("https://127.0.0.2:9/", "private or special address"),
        ("", "has no address"),
        ("https://[", "address is none"),
    ],
)
def test_an_address_that_is_not_called_is_told_to_the_model(endpoint: str, words: str) -> None:
    with fake_provider(wants(("find_order", {"number": 1})), says("Sorry.")) as provider:
        _end, host = answered(model_agent(provider, tool(endpoint=endpoint)))
    assert words in host.tool_steps[0].result


@pytest.mark.spec("PL-22")
def test_a_long_result_is_cut_and_said_so() -> None:
    asking = wants(("find_order", {"number": 1}))
    with fake_provider(Answer(b"x" * 200_000)) as shop, fake_provider(asking, says("Long.")) as provider:
        _end, host = answered(model_agent(provider, tool(shop)))
    assert len(host.tool_steps[0].result) == 100_000
    assert host.tool_steps[0].result.endswith("[Cut here: the whole result has 200,000 characters.]")


@pytest.mark.spec("PL-22", "EV-D12", "EV-15")
def test_isolated_a_writing_tool_is_not_executed_but_recorded_as_blocked() -> None:
    writing = {"read_only": False}
    with fake_provider(Answer({})) as shop:
        tools = (
            tool(shop),
            tool(shop, "cancel_order", **writing),
            tool(shop, "refund", stub='{"refund": 7}', **writing),
        )
        calls = [(one.name, {"number": 12}) for one in tools]
        with fake_provider(wants(*calls), says("Done.")) as provider:
            _end, host = answered(model_agent(provider, *tools), isolated=True)
    assert shop.asked == [{"number": 12}]
    found = {step.name: (step.outcome, step.result) for step in host.tool_steps}
    assert found["find_order"] == (Outcome.OK, "{}")
    assert found["cancel_order"][0] == Outcome.BLOCKED
    assert found["cancel_order"][1].startswith("Simulated:")
    assert found["refund"] == (Outcome.BLOCKED, '{"refund": 7}')


@pytest.mark.spec("PL-24")
def test_knowledge_is_searched_also_where_isolated() -> None:
    with fake_provider(wants(("search_knowledge", {"query": "dishwasher"})), says("The lid.")) as provider:
        end, host = answered(model_agent(provider, knowledge=("base",)), isolated=True)
    assert (end.status, host.searched) == (Ending.COMPLETED, ["dishwasher"])
    assert (host.tool_steps[0].outcome, host.tool_steps[0].result) == (Outcome.OK, "[1] Manual\nOnly the lid.")


@pytest.mark.spec("PL-23")
def test_max_steps_ends_it_and_the_last_calls_are_not_executed() -> None:
    with fake_provider(Answer({})) as shop, fake_provider(wants(("find_order", {"number": 1}))) as provider:
        end, host = answered(model_agent(provider, tool(shop), max_steps=3))
    assert end.status == Ending.MAX_STEPS
    assert end.error == "The agent reached its limit of steps (3) without a final answer."
    assert (len(provider.asked), len(shop.asked)) == (3, 2)
    assert (host.tool_steps[-1].outcome, host.tool_steps[-1].result) == (Outcome.FAILED, NO_STEPS_LEFT)


@pytest.mark.spec("PL-23")
@pytest.mark.parametrize("answer", [Answer(hangs=True), stream(piece("I am"), then="hangs")])
def test_the_time_limit_ends_it_while_the_model_is_silent(answer: Answer) -> None:
    with fake_provider(answer) as provider:
        started = time.monotonic()
        end, host = answered(model_agent(provider, seconds=0.4))
    assert end.status == Ending.TIMED_OUT
    assert end.error == "The agent reached its time limit (0.4 s) without a final answer."
    assert host.steps == []
    assert time.monotonic() - started < 5


@pytest.mark.spec("PL-23")
def test_the_time_limit_ends_it_while_a_tool_runs_and_the_call_is_told() -> None:
    with fake_provider(Answer(hangs=True)) as shop, fake_provider(wants(("find_order", {"number": 1}))) as provider:
        end, host = answered(model_agent(provider, tool(shop), seconds=1))
    assert end.status == Ending.TIMED_OUT
    assert [(step.outcome, step.result) for step in host.tool_steps] == [(Outcome.FAILED, TIME_IS_UP)]


@pytest.mark.spec("PL-23", "PL-25")
def test_over_budget_ends_it_before_the_call_that_would_cost() -> None:
    with fake_provider(Answer({})) as shop, fake_provider(wants(("find_order", {"number": 1}))) as provider:
        host = NotingHost(reasons=["", "The budget is used up."])
        end, _host = answered(model_agent(provider, tool(shop)), host)
    assert (end.status, end.error) == (Ending.OVER_BUDGET, "The budget is used up.")
    assert (len(provider.asked), len(host.tool_steps)) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (says(""), "ended without an answer"),
        (says("  \n"), "ended without an answer"),
        (says("It was se", finish="length"), "cut off"),
        (says("", finish="content_filter"), "content filter"),
    ],
)
def test_no_whole_text_is_said_plainly(answer: Answer, words: str) -> None:
    with fake_provider(answer) as provider:
        end, host = answered(model_agent(provider))
    assert end.status == Ending.FAILED
    assert words in end.error
    assert len(host.steps) == 1


def test_calls_of_a_step_that_was_cut_off_are_not_executed() -> None:
    cut = stream(piece(calls=[{"index": 0, "id": "a", "function": {"name": "find_order", "arguments": '{"numb'}}]))
    cut.events = [*(cut.events or []), piece(finish="length")]
    with fake_provider(Answer({})) as shop, fake_provider(cut) as provider:
        end, host = answered(model_agent(provider, tool(shop)))
    assert (end.status, shop.asked) == (Ending.FAILED, [])
    assert host.steps[0].tool_calls[0]["arguments"] == '{"numb'
    assert (host.tool_steps[0].outcome, host.tool_steps[0].result) == (Outcome.FAILED, NOT_WHOLE)


def test_a_refusal_is_the_answer() -> None:
    with fake_provider(stream(piece(refusal="I cannot help with that."), piece(finish="stop"))) as provider:
        end, host = answered(model_agent(provider))
    assert (end.status, host.steps[0].text) == (Ending.COMPLETED, "I cannot help with that.")


def test_a_provider_that_fails_ends_it_with_its_words_and_without_the_key() -> None:
    with fake_provider(error(400, f"context too long for {KEY}")) as provider:
        end, host = answered(model_agent(provider))
    assert end.status == Ending.FAILED
    assert end.error == "The provider refuses the request (status 400). context too long for [key]"
    assert KEY not in repr(model_agent(provider)) + repr(host.events)
    assert SECRET not in repr(tool())


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    with fake_provider(Answer(completion("a\x00b\ud800c"))) as provider:
        _end, host = answered(model_agent(provider))
    assert host.steps[0].text == host.text == "a\ufffdb\ufffdc"


def test_a_character_that_comes_in_two_halves_is_whole_in_the_step() -> None:
    with fake_provider(stream(piece("tea \ud83c"), piece("\udf75"), piece(finish="stop"))) as provider:
        _end, host = answered(model_agent(provider))
    assert host.steps[0].text == "tea 🍵"
    assert host.text == "tea \ufffd\ufffd"


def test_more_calls_than_a_step_may_make_fail_and_the_others_are_executed() -> None:
    with fake_provider(Answer({})) as shop:
        calls = [("find_order", {"number": number}) for number in range(70)]
        with fake_provider(wants(*calls), says("Done.")) as provider:
            _end, host = answered(model_agent(provider, tool(shop)))
    assert (len(shop.asked), len(host.tool_steps)) == (64, 70)
    assert json.dumps(provider.asked[1]["messages"]).count('"role": "tool"') == 70


def test_nothing_is_told_twice_and_each_call_has_one_result() -> None:
    with fake_provider(Answer({})) as shop:
        calls = [("find_order", {"number": number}) for number in range(20)]
        with fake_provider(wants(*calls), says("Done.")) as provider:
            _end, host = answered(model_agent(provider, tool(shop)))
    (asking,) = [step for step in host.steps if isinstance(step, ModelStep) and step.tool_calls]
    told = [step.call_id for step in host.steps if isinstance(step, ToolStep)]
    assert sorted(told) == sorted(call["id"] for call in asking.tool_calls)
