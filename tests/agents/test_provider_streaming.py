"""Streamed replies over real sockets: pieces, usage, faults in the middle, further tries, cancelling (PL-20, BC-41)."""

import time
from typing import Any

import anyio
import pytest

from agents.logic.targets import Provider, Target
from agents.logic.usage import Usage
from agents.provider import Ask, Cause, ProviderFailure, Reply, ask_streaming
from core.loops import run_coroutine
from tests.agents.provider_server import (
    Answer,
    FakeProvider,
    completion,
    error,
    fake_provider,
    piece,
    says,
    stream,
    usage_piece,
    wants,
)

KEY = "test-key-83745982374598"
QUESTION = Ask("small-1", [{"role": "user", "content": "Which model are you?"}])

pytestmark = pytest.mark.usefixtures("loopback_allowed")


class Asked:
    """What asking brought: the reply or the failure, the pieces shown, the waits in between, noted and not waited."""

    def __init__(self, provider: FakeProvider, **more: Any) -> None:
        self.pieces: list[str] = []
        self.waits: list[float] = []
        target = Target(Provider.COMPATIBLE, provider.address, key=KEY)
        self.result: Any
        try:
            asking = ask_streaming(target, QUESTION, on_text=self.show, sleep=self.wait, **more)
            self.result = run_coroutine(asking)
        except ProviderFailure as failure:
            self.result = failure

    async def show(self, text: str) -> None:
        self.pieces.append(text)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.mark.spec("PL-20", "PL-30")
def test_text_comes_in_pieces_and_then_whole_with_its_usage() -> None:
    with fake_provider(says("I am small.")) as provider:
        asked = Asked(provider)
    assert asked.pieces == ["I am ", "small."]
    reply = asked.result
    assert isinstance(reply, Reply)
    assert (reply.text, reply.finish_reason, reply.usage, reply.tries) == ("I am small.", "stop", Usage(12, 0, 3), 1)
    assert provider.asked[0]["stream"] is True
    assert provider.asked[0]["stream_options"] == {"include_usage": True}
    assert provider.keys == [f"Bearer {KEY}"]


def test_tool_calls_come_in_the_shape_of_the_chat_api() -> None:
    with fake_provider(wants(("search", {"q": "tea"}), ("book", {}), usage=None)) as provider:
        reply = Asked(provider).result
    assert [call["function"] for call in reply.tool_calls] == [
        {"name": "search", "arguments": '{"q": "tea"}'},
        {"name": "book", "arguments": "{}"},
    ]
    assert reply.usage is None


@pytest.mark.parametrize("status", [400, 422])
def test_a_provider_that_does_not_know_stream_options_is_asked_without_them_at_once(status: int) -> None:
    with fake_provider(error(status, "Unknown parameter: stream_options"), says("Hello.", usage=None)) as provider:
        asked = Asked(provider)
    assert (asked.result.text, asked.result.usage, asked.result.tries, asked.waits) == ("Hello.", None, 1, [])
    assert ["stream_options" in sent for sent in provider.asked] == [True, False]


def test_a_reply_that_comes_whole_although_a_stream_was_asked_for_is_taken() -> None:
    with fake_provider(Answer(completion("Hello."))) as provider:
        asked = Asked(provider)
    assert (asked.pieces, asked.result.text, asked.result.usage) == (["Hello."], "Hello.", Usage(12, 0, 3))


@pytest.mark.spec("BC-41")
def test_before_the_first_piece_it_is_asked_again_as_told() -> None:
    answers = [error(429, "slow down", Retry_After="2"), error(503, "oh"), says("Now.")]
    with fake_provider(*answers) as provider:
        asked = Asked(provider)
    assert (asked.result.text, asked.result.tries) == ("Now.", 3)
    assert asked.waits[0] == 2.0
    assert 4.0 <= asked.waits[1] <= 5.0


@pytest.mark.spec("BC-41")
def test_a_retry_after_as_a_date_is_waited_for_and_one_of_a_day_is_not() -> None:
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 30))
    with fake_provider(error(429, "later", Retry_After=date), says("Now.")) as provider:
        asked = Asked(provider)
    assert 20 < asked.waits[0] <= 30
    with fake_provider(error(429, "tomorrow", Retry_After="86400")) as provider:
        asked = Asked(provider)
    assert (asked.result.cause, asked.result.tries, asked.waits) == (Cause.RATE_LIMITED, 1, [])


@pytest.mark.spec("BC-41")
def test_after_the_first_piece_it_is_never_asked_again() -> None:
    with fake_provider(stream(piece("I am"), then="breaks"), says("Never.")) as provider:
        asked = Asked(provider)
    assert isinstance(asked.result, ProviderFailure)
    assert (asked.result.cause, asked.pieces, len(provider.asked)) == (Cause.BROKEN, ["I am"], 1)
    assert "broke off in the middle" in str(asked.result)


@pytest.mark.spec("BC-41")
@pytest.mark.parametrize(
    ("answer", "cause", "words"),
    [
        (stream(piece("I am"), then="ends"), Cause.BROKEN, "broke off in the middle"),
        (stream(piece("I am"), {"error": {"message": f"overloaded {KEY}"}}), Cause.BROKEN, "answers with an error"),
        (stream(piece("I am"), b"data: {not json\n\n"), Cause.BROKEN, "not as a chat API"),
        (stream({"choices": [{"delta": {"content": 5}}]}), Cause.BROKEN, "not as a chat API"),
        (stream(), Cause.BROKEN, "not as a chat API"),
        (Answer({"error": {"message": "quota"}}), Cause.BROKEN, "not as a chat API"),
        (Answer([1]), Cause.BROKEN, "not as a chat API"),
        (Answer(b"<html>proxy</html>", headers={"Content-Type": "text/html"}), Cause.BROKEN, "not as a chat API"),
        (error(400, "bad parameter"), Cause.REFUSED, "status 400"),
        (error(401, f"Incorrect API key provided: {KEY}"), Cause.WRONG_KEY, "status 401"),
    ],
)
def test_what_will_not_pass_is_asked_once_and_told_without_the_key(answer: Answer, cause: Cause, words: str) -> None:
    with fake_provider(answer) as provider:
        asked = Asked(provider)
    failure = asked.result
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.tries, asked.waits, len(provider.asked)) == (cause, 1, [], 1)
    assert words in str(failure)
    assert KEY not in str(failure) + failure.said + repr(failure)


@pytest.mark.spec("BC-41")
@pytest.mark.parametrize("answer", [Answer(hangs=True), stream(piece("I am"), then="hangs")])
def test_a_stream_that_stops_answering_ends_at_the_time_limit(answer: Answer) -> None:
    with fake_provider(answer) as provider:
        started = time.monotonic()
        asked = Asked(provider, seconds=0.3, tries=1)
    assert asked.result.cause is Cause.TIMED_OUT
    assert time.monotonic() - started < 5


def test_a_complete_answer_does_not_wait_for_the_end_of_its_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.provider.streaming.AFTER_THE_END", 0.2)
    with fake_provider(stream(piece("Hello."), piece(finish="stop"), usage_piece(), then="hangs")) as provider:
        started = time.monotonic()
        asked = Asked(provider)
    assert (asked.result.text, asked.result.usage) == ("Hello.", Usage(12, 0, 3))
    assert time.monotonic() - started < 5


def test_cancelling_ends_the_request() -> None:
    async def leave(provider: FakeProvider) -> None:
        async with anyio.create_task_group() as group:

            async def go(_text: str) -> None:
                group.cancel_scope.cancel()

            target = Target(Provider.COMPATIBLE, provider.address)
            await ask_streaming(target, QUESTION, on_text=go)

    with fake_provider(stream(piece("I am"), then="goes on")) as provider:
        run_coroutine(leave(provider))
        assert provider.left.wait(5)


@pytest.mark.spec("PL-26")
def test_a_private_address_is_not_called(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ()
    with fake_provider() as provider:
        asked = Asked(provider)
    assert (asked.result.cause, asked.waits, provider.asked) == (Cause.REFUSED_ADDRESS, [], [])
