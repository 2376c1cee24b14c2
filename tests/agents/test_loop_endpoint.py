"""Agents of kind endpoint answer: by the chat completions API and by plain JSON; what is wrong is named (PL-21)."""

from decimal import Decimal
from typing import Any

import pytest

from agents.logic.answerers import EndpointAgent
from agents.logic.usage import Usage
from agents.loop.events import Ended, Ending, ModelStep, Outcome, ToolStep
from tests.agents.loops import ASKED, SECRET, NotingHost, answered
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider, says, wants

pytestmark = pytest.mark.usefixtures("loopback_allowed")


def by_json(answer: Any, **more: Any) -> tuple[Ended, NotingHost, FakeProvider]:
    with fake_provider(answer if isinstance(answer, Answer) else Answer(answer)) as service:
        agent = EndpointAgent("json", service.address, key=SECRET, seconds=5)
        end, host = answered(agent, conversation_id="c-1", **more)
    return end, host, service


@pytest.mark.spec("PL-21")
@pytest.mark.parametrize("path", ["", "/", "/chat/completions"])
def test_a_chat_endpoint_is_asked_at_its_address_and_streams(path: str) -> None:
    with fake_provider(says("It was sent.")) as service:
        end, host = answered(EndpointAgent("openai", service.address + path, "shop-agent", SECRET))
    assert end == Ended(Ending.COMPLETED)
    assert host.text == "It was sent."
    assert service.paths == ["/v1/chat/completions"]
    assert service.keys == [f"Bearer {SECRET}"]
    assert (service.asked[0]["model"], service.asked[0]["messages"]) == ("shop-agent", ASKED)
    assert "tools" not in service.asked[0]
    assert (host.steps[0].usage, host.steps[0].cost) == (Usage(12, 0, 3), None)


def test_a_chat_endpoint_that_does_not_stream_is_read_too() -> None:
    with fake_provider(Answer(completion("Hello."))) as service:
        end, host = answered(EndpointAgent("openai", service.address))
    assert (end.status, host.steps[0].text) == (Ending.COMPLETED, "Hello.")


def test_a_chat_endpoint_that_wants_tools_called_is_refused_plainly() -> None:
    with fake_provider(wants(("find_order", {"number": 1}))) as service:
        end, _host = answered(EndpointAgent("openai", service.address))
    assert (end.status, end.error) == (
        Ending.FAILED,
        "The endpoint asks for tools to be called. An endpoint calls its tools itself.",
    )


def test_a_chat_endpoint_that_fails_says_so_without_the_secret() -> None:
    with fake_provider(error(401, f"wrong key {SECRET}")) as service:
        end, _host = answered(EndpointAgent("openai", service.address, key=SECRET))
    assert end.error == "The provider does not take this key (status 401). wrong key [key]"


@pytest.mark.spec("PL-21")
def test_a_json_endpoint_is_sent_the_documented_request() -> None:
    history = [*ASKED, {"role": "assistant", "content": "Which one?"}, {"role": "user", "content": "12"}]
    end, host, service = by_json({"output": "It was sent."}, messages=history)
    assert end == Ended(Ending.COMPLETED)
    assert service.asked == [{"conversation_id": "c-1", "messages": history, "input": "12"}]
    assert service.keys == [f"Bearer {SECRET}"]
    (step,) = host.steps
    assert (step.text, step.usage, step.cost) == ("It was sent.", None, None)
    assert step.seconds > 0


@pytest.mark.spec("PL-21", "BC-38")
def test_calls_usage_and_cost_of_a_json_endpoint_are_kept_and_nothing_is_not_unknown() -> None:
    calls = [
        {"name": "find_order", "arguments": {"number": 12}, "result": {"state": "sent"}},
        {"name": "notify", "arguments": '{"to": "me"}', "outcome": "failed", "result": "no mail"},
        {"name": "log"},
    ]
    usage = {"prompt_tokens": 0, "completion_tokens": 0}
    end, host, _service = by_json({"output": "Sent.", "tool_calls": calls, "usage": usage, "cost": 0, "more": 1})
    assert end.status == Ending.COMPLETED
    asking, *results, last = host.steps
    assert isinstance(asking, ModelStep)
    assert [call["arguments"] for call in asking.tool_calls] == [{"number": 12}, {"to": "me"}, {}]
    assert [(step.result, step.outcome) for step in results if isinstance(step, ToolStep)] == [
        ('{"state": "sent"}', Outcome.OK),
        ("no mail", Outcome.FAILED),
        ("", Outcome.OK),
    ]
    assert (last.text, last.usage, last.cost) == ("Sent.", Usage(0, 0, 0), Decimal(0))


@pytest.mark.spec("PL-21")
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"<html>", "the reply is not as documented: it is no JSON"),
        ([1], "it must be an object, not a list"),
        ({}, "“output” is not as documented: it must be text, not null"),
        ({"output": 5}, "“output” is not as documented: it must be text, not a number"),
        ({"output": "x", "tool_calls": {}}, "“tool_calls” is not as documented: it must be a list, not an object"),
        ({"output": "x", "tool_calls": [1]}, "“tool_calls.0” is not as documented"),
        ({"output": "x", "tool_calls": [{"name": ""}]}, "“tool_calls.0.name” is not as documented"),
        ({"output": "x", "tool_calls": [{"name": "a", "arguments": 1}]}, "“tool_calls.0.arguments”"),
        ({"output": "x", "tool_calls": [{"name": "a", "outcome": "maybe"}]}, "one of ok, failed, blocked"),
        ({"output": "x", "usage": 5}, "“usage” is not as documented"),
        ({"output": "x", "cost": "1"}, "“cost” is not as documented"),
        ({"output": "x", "cost": -1}, "“cost” is not as documented"),
        ({"output": "x", "cost": True}, "“cost” is not as documented"),
        ({"output": " "}, "ended without an answer"),
        (Answer({"detail": f"no {SECRET}"}, 503), 'answered with status 503. {"detail": "no [key]"}'),
        (Answer(b"", 302, {"Location": "https://elsewhere.invalid"}), "answered with status 302."),
    ],
)
def test_a_json_reply_that_is_wrong_fails_with_what_is_wrong(sent: Any, words: str) -> None:
    end, _host, _service = by_json(Answer(sent) if isinstance(sent, bytes) else sent)
    assert end.status == Ending.FAILED
    assert words in end.error
    assert SECRET not in end.error


@pytest.mark.spec("EV-D23")
@pytest.mark.parametrize("protocol", ["json", "openai"])
@pytest.mark.parametrize(("status", "may_pass"), [(503, True), (429, True), (400, False), (401, False)])
def test_a_service_that_fails_is_asked_once_and_whether_it_may_pass_is_told(
    protocol: str, status: int, may_pass: bool
) -> None:
    with fake_provider(error(status, "no")) as service:
        end, _host = answered(EndpointAgent(protocol, service.address))
    assert (end.status, end.may_pass, len(service.asked)) == (Ending.FAILED, may_pass, 1)


@pytest.mark.spec("PL-23")
@pytest.mark.parametrize("protocol", ["json", "openai"])
def test_the_time_limit_ends_it(protocol: str) -> None:
    with fake_provider(Answer(hangs=True)) as service:
        end, _host = answered(EndpointAgent(protocol, service.address, seconds=0.4))
    assert end.status == Ending.TIMED_OUT


@pytest.mark.spec("PL-25")
@pytest.mark.parametrize("protocol", ["json", "openai"])
def test_over_budget_it_is_not_called(protocol: str) -> None:
    with fake_provider(Answer({})) as service:
        end, _host = answered(EndpointAgent(protocol, service.address), NotingHost(reasons=["Nothing is left."]))
    assert (end, service.asked) == (Ended(Ending.OVER_BUDGET, "Nothing is left."), [])


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("protocol", ["json", "openai"])
def test_a_private_address_is_not_called(protocol: str, settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ()
    with fake_provider(Answer({})) as service:
        end, _host = answered(EndpointAgent(protocol, service.address))
    assert (end.status, service.asked) == (Ending.FAILED, [])
    assert "private or special" in end.error


@pytest.mark.spec("EV-14")
@pytest.mark.parametrize(("protocol", "answer"), [("json", Answer({"output": "x"})), ("openai", says("x"))])
def test_an_isolated_run_is_told_to_the_endpoint(protocol: str, answer: Answer) -> None:
    with fake_provider(answer) as service:
        answered(EndpointAgent(protocol, service.address), isolated=True)
        answered(EndpointAgent(protocol, service.address))
    assert [headers.get("Casebook-Run") for headers in service.headers] == ["isolated", None]
