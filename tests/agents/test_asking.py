"""Asking a model over real sockets: what is sent, what comes back, what ends the trying (PL-20, SC-D43, BC-41)."""

import time
from typing import Any

import pytest

from agents.logic.targets import Provider, Target
from agents.logic.usage import Usage
from agents.provider import Ask, Cause, ProviderFailure, Reply, ask
from core.loops import run_coroutine
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider

KEY = "test-key-83745982374598"
QUESTION = Ask("small-1", [{"role": "user", "content": "Which model are you?"}])

pytestmark = pytest.mark.usefixtures("loopback_allowed")


def asked(provider: FakeProvider, question: Ask = QUESTION, **more: Any) -> tuple[Reply | ProviderFailure, list[float]]:
    """What asking brought, and the waits in between, which are noted and not waited."""
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    target = Target(Provider.COMPATIBLE, provider.address, key=KEY)
    try:
        return run_coroutine(ask(target, question, sleep=note, **more)), waits
    except ProviderFailure as failure:
        return failure, waits


@pytest.mark.spec("PL-20")
def test_a_reply_comes_with_its_text_usage_and_time() -> None:
    with fake_provider(Answer(completion("I am small."))) as provider:
        reply, waits = asked(provider)
    assert isinstance(reply, Reply)
    assert (reply.text, reply.finish_reason, reply.model, reply.tries) == ("I am small.", "stop", "small-1", 1)
    assert reply.usage == Usage(12, 0, 3)
    assert reply.seconds > 0
    assert waits == []
    assert provider.asked == [{"model": "small-1", "messages": QUESTION.messages}]
    assert provider.keys == [f"Bearer {KEY}"]


@pytest.mark.spec("SC-98")
def test_a_temperature_is_sent_only_where_there_is_one() -> None:
    with fake_provider() as provider:
        asked(provider, Ask("small-1", [], temperature=0.0, max_tokens=5))
    assert provider.asked == [{"model": "small-1", "messages": [], "temperature": 0.0, "max_completion_tokens": 5}]


def test_azure_is_asked_by_deployment_and_api_version() -> None:
    with fake_provider() as provider:
        address = provider.address.removesuffix("/v1")
        target = Target(Provider.AZURE, address, "2024-10-21", KEY)
        run_coroutine(ask(target, QUESTION))
    assert provider.paths == ["/openai/deployments/small-1/chat/completions?api-version=2024-10-21"]
    assert provider.keys == [KEY]


@pytest.mark.spec("SC-D43", "BC-41")
@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([error(429, "slow down", Retry_After="2")], [2.0]),
        ([error(500, "oh"), error(503, "oh")], [1.0, 4.0]),
        ([error(408, "late")], [1.0]),
        ([error(429, "slow down", Retry_After="soon")], [1.0]),
    ],
)
def test_what_may_pass_is_asked_again_after_the_wait_that_is_told(answers: list[Answer], waited: list[float]) -> None:
    with fake_provider(*answers, Answer(completion("Now."))) as provider:
        reply, waits = asked(provider)
    assert isinstance(reply, Reply)
    assert (reply.text, reply.tries) == ("Now.", len(answers) + 1)
    assert len(waits) == len(waited)
    assert all(told <= wait <= told * 1.25 for told, wait in zip(waited, waits, strict=True))


@pytest.mark.spec("SC-D43", "BC-41")
def test_after_four_tries_the_failure_says_status_and_tries() -> None:
    with fake_provider(error(503, "Overloaded, sorry")) as provider:
        failure, waits = asked(provider)
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.status, failure.tries, failure.said) == (Cause.BROKEN, 503, 4, "Overloaded, sorry")
    assert len(provider.asked) == 4
    assert [wait <= most for wait, most in zip(waits, (1.25, 5, 20), strict=True)] == [True] * 3


@pytest.mark.spec("BC-41")
def test_a_wait_longer_than_a_minute_ends_the_trying() -> None:
    with fake_provider(error(429, "tomorrow", Retry_After="86400")) as provider:
        failure, waits = asked(provider)
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.tries, waits) == (Cause.RATE_LIMITED, 1, [])


@pytest.mark.spec("BC-41")
@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (error(400, "bad parameter"), Cause.REFUSED),
        (error(401, f"Incorrect API key provided: {KEY}"), Cause.WRONG_KEY),
        (error(404, "no such model"), Cause.NO_SUCH_MODEL),
        (Answer({"error": {"message": "quota"}}), Cause.BROKEN),
        (Answer(b"<html>proxy</html>", headers={"Content-Type": "text/html"}), Cause.BROKEN),
        (Answer({"choices": [{"message": {"content": 5}}]}), Cause.BROKEN),
        (Answer([1, 2]), Cause.BROKEN),
        (Answer(b"{not json"), Cause.BROKEN),
    ],
)
def test_what_will_not_pass_is_asked_once_and_told_without_the_key(answer: Answer, cause: Cause) -> None:
    with fake_provider(answer) as provider:
        failure, waits = asked(provider)
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.tries, waits, len(provider.asked)) == (cause, 1, [], 1)
    assert KEY not in str(failure) + failure.said


@pytest.mark.spec("BC-41")
def test_a_socket_that_never_answers_ends_at_the_time_limit() -> None:
    with fake_provider(Answer({}, hangs=True)) as provider:
        started = time.monotonic()
        failure, _waits = asked(provider, seconds=0.3, tries=1)
    assert isinstance(failure, ProviderFailure)
    assert failure.cause is Cause.TIMED_OUT
    assert time.monotonic() - started < 5


@pytest.mark.spec("PL-26")
def test_a_private_address_is_not_called_and_not_tried_again(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ()
    with fake_provider() as provider:
        failure, waits = asked(provider)
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.tries, waits, provider.asked) == (Cause.REFUSED_ADDRESS, 1, [], [])


@pytest.mark.spec("PL-26")
def test_a_redirect_is_not_followed() -> None:
    with fake_provider() as other, fake_provider(Answer({}, 307, {"Location": other.address})) as provider:
        failure, _waits = asked(provider)
    assert isinstance(failure, ProviderFailure)
    assert other.asked == []


def test_an_address_where_nobody_listens_is_unreachable() -> None:
    with fake_provider() as provider:
        gone = FakeProvider(provider.address.replace(provider.address.split(":")[2], "9/v1"), [])
    failure, waits = asked(gone)
    assert isinstance(failure, ProviderFailure)
    assert (failure.cause, failure.tries, len(waits)) == (Cause.UNREACHABLE, 4, 3)
