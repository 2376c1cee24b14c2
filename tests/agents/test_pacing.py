"""The pace of a provider's key: pauses that every process keeps, requests and tokens a minute (EV-D22, EV-D23)."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from django.core.cache import cache

from agents.logic.targets import Provider, Target
from agents.logic.waiting import Patience, pause_seconds
from agents.loop.desk import Desk, run_attended
from agents.provider import Ask, Cause, ProviderFailure, Reply, ask, counted_waiting, limit_of, shared_calls
from agents.provider.pacing import Pause, name_of
from agents.provider.rates import Rates, correct, take
from agents.provider.sharing import Shared
from core.loops import run_coroutine
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider

QUESTION = Ask("small-1", [{"role": "user", "content": "Which model are you?"}])
NOW = 1_000_000.0

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("loopback_allowed")]


def target_at(provider: FakeProvider, **more: Any) -> Target:
    return Target(Provider.COMPATIBLE, provider.address, key="test-key-83745982374598", **more)


def over_desk(act: Callable[[Desk[Any]], Awaitable[Any]]) -> Any:
    """What the act brings in an event loop that shares its pace, as every loop over a desk does."""

    async def whole(desk: Desk[Any]) -> Any:
        return await act(desk)

    return run_attended(whole)


@pytest.mark.spec("EV-D22", "EV-D23")
def test_a_refusal_pauses_every_other_call_with_the_key() -> None:
    arrived: list[float] = []

    def script(_asked: Any) -> Answer:
        arrived.append(time.monotonic())
        return error(429, "slow down", Retry_After="1") if len(arrived) == 1 else Answer(completion("Yes."))

    with fake_provider(script=script) as provider:

        async def act(_desk: Desk[Any]) -> list[Reply]:
            replies: list[Reply] = []

            async def one() -> None:
                replies.append(await ask(target_at(provider), QUESTION, patience=Patience.ATTEMPT))

            async with anyio.create_task_group() as group:
                group.start_soon(one)
                await anyio.sleep(0.2)
                for _ in range(3):
                    group.start_soon(one)
            return replies

        replies = over_desk(act)
    assert sorted(reply.tries for reply in replies) == [1, 1, 1, 2]
    assert min(arrived[1:]) - arrived[0] >= 0.95
    assert max(reply.seconds for reply in replies) < 0.9


@pytest.mark.spec("EV-D22")
def test_a_pause_is_kept_by_another_process_too() -> None:
    """Two loops that know nothing of each other but the cache, as two processes do."""
    with fake_provider(error(429, "slow down", Retry_After="1"), Answer(completion("Yes."))) as provider:

        async def refused(_desk: Desk[Any]) -> None:
            with pytest.raises(ProviderFailure):
                await ask(target_at(provider), QUESTION, tries=1)

        async def answered(_desk: Desk[Any]) -> tuple[Reply, float]:
            with counted_waiting() as waiting:
                return await ask(target_at(provider), QUESTION), waiting.seconds

        over_desk(refused)
        reply, waited = over_desk(answered)
        over_desk(answered)
    assert (reply.text, reply.tries) == ("Yes.", 1)
    assert 0.5 < waited < 1.5
    assert cache.get(name_of(target_at(provider))) is None


def test_another_key_is_not_paused() -> None:
    with fake_provider(error(429, "slow down", Retry_After="30"), Answer(completion("Yes."))) as provider:

        async def act(_desk: Desk[Any]) -> Reply:
            with pytest.raises(ProviderFailure):
                await ask(target_at(provider), QUESTION, tries=1)
            with anyio.fail_after(5):
                return await ask(Target(Provider.COMPATIBLE, provider.address, key="another"), QUESTION)

        assert over_desk(act).tries == 1


@pytest.mark.spec("EV-D22")
def test_without_a_told_time_each_refusal_doubles_the_pause_and_one_wave_counts_once() -> None:
    assert [pause_seconds(strikes) for strikes in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]
    first = Pause().after_refusal(NOW, NOW, None)
    assert first == Pause(NOW + 1, 1)
    assert first.after_refusal(NOW - 0.1, NOW + 0.2, None) == first
    assert first.after_refusal(NOW + 0.5, NOW + 0.6, 5) == Pause(NOW + 5.6, 1)
    assert first.after_refusal(NOW + 1.1, NOW + 1.2, None) == Pause(NOW + 3.2, 2)
    assert first.after_refusal(NOW + 1.1, NOW + 1.2, 30) == Pause(NOW + 31.2, 2)


@pytest.mark.spec("EV-D23")
@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_an_attempt_is_tried_five_times(status: int) -> None:
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    with fake_provider(error(status, "no")) as provider:
        asking = ask(target_at(provider), QUESTION, patience=Patience.ATTEMPT, sleep=note)
        with pytest.raises(ProviderFailure) as caught:
            run_coroutine(asking)
    assert (caught.value.tries, len(provider.asked), len(waits)) == (5, 5, 4)
    assert all(told <= wait <= told * 1.2 for told, wait in zip((1, 2, 4, 8), waits, strict=True))


@pytest.mark.spec("EV-D23")
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_pass_is_asked_once(status: int) -> None:
    with fake_provider(error(status, "no")) as provider, pytest.raises(ProviderFailure):
        run_coroutine(ask(target_at(provider), QUESTION, patience=Patience.ATTEMPT))
    assert len(provider.asked) == 1


@pytest.mark.spec("EV-D23")
def test_waiting_counts_against_no_time_limit_not_even_one_around() -> None:
    with fake_provider(error(503, "busy"), Answer(completion("Now."))) as provider:

        async def act() -> tuple[Reply | None, float]:
            reply = None
            with counted_waiting(), limit_of(0.8), counted_waiting() as waiting, limit_of(0.7):
                reply = await ask(target_at(provider), QUESTION)
            return reply, waiting.seconds

        reply, waited = run_coroutine(act())
    assert reply is not None
    assert reply.text == "Now."
    assert waited >= 1
    assert reply.seconds < 0.7


def test_a_time_limit_ends_what_is_no_waiting() -> None:
    async def act() -> bool:
        with counted_waiting(), limit_of(0.1) as limit:
            await anyio.sleep(5)
        return limit.cancelled_caught

    assert run_coroutine(act())


@pytest.mark.spec("EV-D22")
def test_a_minute_takes_so_many_requests_and_slides() -> None:
    rates = Rates(requests=6)
    assert [take("key", rates, 0, NOW - NOW % 60) for _ in range(7)] == [0] * 6 + [10]
    start = NOW - NOW % 60
    assert take("key", rates, 0, start + 59) > 0
    # Half a minute later half of them still count.
    assert [take("key", rates, 0, start + 90) for _ in range(4)] == [0, 0, 0, 10]
    assert take("another", rates, 0, start) == 0


@pytest.mark.spec("EV-D22")
def test_a_minute_takes_so_many_tokens_as_they_turned_out() -> None:
    rates, start = Rates(tokens=1_000), NOW - NOW % 60
    assert take("key", rates, 5_000, start) == 0  # alone, since no minute has so many
    correct("key", -4_400, start)
    assert take("key", rates, 400, start) == 0
    assert take("key", rates, 1, start) > 0
    correct("key", 5, start)


@pytest.mark.spec("EV-D22")
def test_calls_wait_for_a_place_in_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time()
    clock = [start]
    monkeypatch.setattr("agents.provider.pacing.time.time", lambda: clock[0])

    async def rest(seconds: float) -> None:
        clock[0] += seconds

    with fake_provider() as provider:
        target = target_at(provider, requests_a_minute=2, tokens_a_minute=1_000_000)

        async def act(_desk: Desk[Any]) -> None:
            for _ in range(5):
                await ask(target, QUESTION, sleep=rest)

        over_desk(act)
    assert len(provider.asked) == 5
    assert clock[0] - start > 60


def test_calls_of_one_loop_share_a_client_and_close_it() -> None:
    with fake_provider() as provider:

        async def act() -> list[Any]:
            async with shared_calls():
                await ask(target_at(provider), QUESTION)
                await ask(target_at(provider), QUESTION)
            shared = Shared(None)
            client = shared.client(target_at(provider))
            assert shared.client(target_at(provider)) is client
            assert shared.pace(target_at(provider)) is shared.pace(target_at(provider, requests_a_minute=None))
            await shared.close()
            return [client.is_closed()]

        assert run_coroutine(act()) == [True]
    assert len(provider.asked) == 2


def test_the_cache_is_not_told_the_key() -> None:
    target = Target(Provider.OPENAI, key="test-key-83745982374598")
    assert "83745982374598" not in name_of(target)
    assert name_of(target) != name_of(Target(Provider.OPENAI, key="another"))


def test_cause_of_a_pause_that_is_too_long_is_the_rate() -> None:
    with (
        fake_provider(error(429, "tomorrow", Retry_After="86400")) as provider,
        pytest.raises(ProviderFailure) as caught,
    ):
        run_coroutine(ask(target_at(provider), QUESTION, patience=Patience.ATTEMPT))
    assert (caught.value.cause, caught.value.tries) == (Cause.RATE_LIMITED, 1)
