"""Answers kept in memory and stored in groups: each way they may end, what is stored, what the budgets say (EV-D15)."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import anyio
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from activity.models import Conversation, Message, Run, RunKind, RunStatus
from activity.operations.collected_runs import (
    CollectedAnswer,
    Prepared,
    answer_collected,
    prepare_agent,
    store_collected,
)
from agents.loop.desk import Desk, run_attended
from agents.loop.events import Ending
from agents.models import Agent, AgentVersion, Spending
from core.errors import Invalid, NotAllowed
from tests.activity.agents_that_answer import find_order, published
from tests.agents.provider_server import Answer, FakeProvider, completion, error, fake_provider, says, wants
from tests.cast import Cast

TURNS = [{"role": "user", "content": "Where is order 12?"}]


@pytest.fixture(autouse=True)
def _quick(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    monkeypatch.setattr("agents.logic.waiting.ATTEMPT_WAITS", (0.0, 0.0, 0.0, 0.0))


@pytest.fixture
def shop() -> Iterator[FakeProvider]:
    with fake_provider(Answer({"state": "sent"})) as server:
        yield server


def over_desk(act: Callable[[Desk[Any]], Awaitable[Any]]) -> Any:
    async def whole(desk: Desk[Any]) -> Any:
        return await act(desk)

    return run_attended(whole)


def answers(prepared: Prepared, times: int = 1, turns: Sequence[Any] = TURNS) -> list[CollectedAnswer]:
    """So many answers at once, none of them stored."""

    async def act(desk: Desk[Any]) -> list[CollectedAnswer]:
        found: list[CollectedAnswer] = []

        async def one() -> None:
            found.append(await answer_collected(desk, prepared, turns))

        async with anyio.create_task_group() as group:
            for _ in range(times):
                group.start_soon(one)
        return found

    return over_desk(act)


def answer_of(cast: Cast, agent: Agent) -> CollectedAnswer:
    return answers(prepare_agent(cast.actor("owner"), agent_id=agent.pk))[0]


def store(found: Sequence[CollectedAnswer]) -> None:
    with transaction.atomic():
        store_collected(found)


@pytest.mark.spec("EV-13", "EV-15", "EV-D12", "EV-D13")
def test_an_answer_with_tools_is_kept_whole_and_stored_as_a_run_of_a_test(cast: Cast, shop: FakeProvider) -> None:
    tools = [find_order(shop), find_order(shop, name="cancel_order", read_only=False)]
    calls = [("find_order", {"number": 12}), ("cancel_order", {"number": 12})]
    turns = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Yes?"}, *TURNS]
    with fake_provider(wants(*calls, text="I look."), says("It was sent.")) as provider:
        agent = published(cast, provider, tools=tools)
        prepared = prepare_agent(cast.actor("operator"), agent_id=agent.pk)
        found = answers(prepared, turns=turns)[0]
    assert not Run.objects.exists()
    assert not Spending.objects.exists()
    assert (found.end.status, found.text) == (Ending.COMPLETED, "I look.\n\nIt was sent.")
    assert [(call.name, call.arguments, call.outcome) for call in found.calls] == [
        ("find_order", {"number": 12}, "ok"), ("cancel_order", {"number": 12}, "blocked"),
    ]  # fmt: skip
    assert not any(asked.get("stream") for asked in provider.asked)
    store([found])
    run = Run.objects.get()
    assert (run.pk, run.kind, run.status, run.started_by) == (
        found.run_id, RunKind.EVAL, RunStatus.COMPLETED, cast.members["operator"],
    )  # fmt: skip
    assert (run.step_count, run.tool_call_count, run.cost, run.seconds) == (4, 2, found.cost, found.seconds)
    messages = list(Message.objects.order_by("position"))
    assert [message.run_id for message in messages] == [None, None, *[run.pk] * 5]
    assert [message.role for message in messages][3:] == ["assistant", "tool", "tool", "assistant"]
    assert Conversation.objects.get().next_position == 8
    assert Spending.objects.get().usd == run.cost


def test_many_are_stored_with_as_few_statements_as_one(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        prepared = prepare_agent(cast.actor("owner"), agent_id=published(cast, provider).pk)
        first, many = answers(prepared), answers(prepared, 12)
    counts = []
    for found in (first, many):
        with CaptureQueriesContext(connection) as asked:
            store(found)
        counts.append(len(asked))
    assert counts[1] <= counts[0]
    assert Run.objects.count() == 13


@pytest.mark.spec("EV-D23")
@pytest.mark.parametrize(
    ("reply", "spec", "status", "cause", "may_pass"),
    [
        (error(401, "no"), {}, Ending.FAILED, "wrong_key 401", False),
        (error(503, "busy"), {}, Ending.FAILED, "broken 503", True),
        (Answer({"error": "x"}), {}, Ending.FAILED, "broken", True),
        (says("Half", finish="length"), {}, Ending.FAILED, "cut_off", False),
        (says(""), {}, Ending.FAILED, "no_answer", False),
        (wants(("find_order", {"number": 1})), {"max_steps": 1}, Ending.MAX_STEPS, "", False),
        (Answer(hangs=True), {"seconds": 1}, Ending.TIMED_OUT, "", False),
    ],
)
def test_every_end_is_told_and_stored(
    cast: Cast, reply: Answer, spec: dict[str, Any], status: Ending, cause: str, may_pass: bool
) -> None:
    with fake_provider(reply) as provider:
        found = answer_of(cast, published(cast, provider, **spec))
    assert (found.end.status, found.end.cause, found.end.may_pass) == (status, cause, may_pass)
    store([found])
    run = Run.objects.get()
    assert (run.status, run.error) == (status.value, found.end.error)


def test_an_agent_that_cannot_answer_as_things_are_says_so_with_each_answer(cast: Cast) -> None:
    with fake_provider() as provider:
        found = answer_of(cast, published(cast, provider, model=None))
    assert found.end.status is Ending.FAILED
    assert "No model is chosen" in found.end.error
    assert provider.asked == []


@pytest.mark.spec("EV-D4", "EV-D14")
def test_who_may_not_run_the_agent_prepares_none(cast: Cast) -> None:
    with fake_provider() as provider:
        agent = published(cast, provider)
    with pytest.raises(NotAllowed):
        prepare_agent(cast.actor("viewer"), agent_id=agent.pk)


def test_turns_that_are_none_are_refused(cast: Cast) -> None:
    with fake_provider() as provider:
        prepared = prepare_agent(cast.actor("owner"), agent_id=published(cast, provider).pk)
    with pytest.raises(Invalid):
        over_desk(partial(_answer, prepared, [{"role": "assistant", "content": "x"}]))


async def _answer(prepared: Prepared, turns: Sequence[Any], desk: Desk[Any]) -> CollectedAnswer:
    return await answer_collected(desk, prepared, turns)


def test_an_answer_that_is_cancelled_is_kept_as_far_as_it_came(cast: Cast, shop: FakeProvider) -> None:
    with fake_provider(wants(("find_order", {"number": 12})), Answer(hangs=True)) as provider:
        agent = published(cast, provider, tools=[find_order(shop)])
        prepared = prepare_agent(cast.actor("owner"), agent_id=agent.pk)

        async def given_up(desk: Desk[Any]) -> None:
            with anyio.move_on_after(1):
                await answer_collected(desk, prepared, TURNS)

        over_desk(given_up)
    run = Run.objects.get()
    assert (run.status, run.step_count) == (RunStatus.CANCELLED, 2)
    assert Spending.objects.get().usd == run.cost


@pytest.mark.spec("EV-19", "EV-D15", "PL-25")
def test_calls_stop_at_the_budget_also_before_what_they_cost_is_stored(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider, prices={"input_price": Decimal(1_000), "output_price": Decimal(0)})
        Agent.objects.filter(pk=agent.pk).update(monthly_budget=Decimal("0.02"))
        prepared = prepare_agent(cast.actor("owner"), agent_id=agent.pk)
        ends = [answers(prepared)[0].end.status for _ in range(3)]
        at_once = answers(prepared, 4)
    assert ends == [Ending.COMPLETED, Ending.COMPLETED, Ending.OVER_BUDGET]
    assert {one.end.status for one in at_once} == {Ending.OVER_BUDGET}
    assert len(provider.asked) == 2


@pytest.mark.spec("EV-19", "EV-D15")
def test_a_budget_that_is_raised_counts_within_a_second(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider)
        Agent.objects.filter(pk=agent.pk).update(monthly_budget=Decimal(0))
        prepared = prepare_agent(cast.actor("owner"), agent_id=agent.pk)
        assert answers(prepared)[0].end.status is Ending.OVER_BUDGET
        Agent.objects.filter(pk=agent.pk).update(monthly_budget=Decimal(5))
        monkeypatch.setattr("agents.loop.budget_watch.FRESH_SECONDS", 0.0)
        assert answers(prepared)[0].end.status is Ending.COMPLETED


def test_what_was_stored_is_counted_once(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider, prices={"input_price": Decimal(1_000), "output_price": Decimal(0)})
        Agent.objects.filter(pk=agent.pk).update(monthly_budget=Decimal("0.03"))
        prepared = prepare_agent(cast.actor("owner"), agent_id=agent.pk)
        ends = []
        for _ in range(4):
            found = answers(prepared)
            ends.append(found[0].end.status)
            with django_capture_on_commit_callbacks(execute=True):
                store(found)
            prepared.watch._read()
    assert ends == [Ending.COMPLETED] * 3 + [Ending.OVER_BUDGET]


def test_what_was_deleted_meanwhile_is_named_no_more(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider)
        found = answer_of(cast, agent)
    AgentVersion.objects.all().delete()
    agent.delete()
    store([found])
    run = Run.objects.get()
    assert (run.agent, run.agent_version, run.status) == (None, None, RunStatus.COMPLETED)
    assert not Spending.objects.exists()


def endpoint(cast: Cast, address: str, protocol: str) -> Agent:
    agent = Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Service", kind="endpoint", newest_version=1
    )
    AgentVersion.objects.create(agent=agent, number=1, spec={"protocol": protocol, "url": address})
    return agent


@pytest.mark.spec("EV-D12", "EV-D23")
@pytest.mark.parametrize(
    ("protocol", "answer"), [("openai", Answer(completion("Sent."))), ("json", Answer({"output": "Sent."}))]
)
def test_an_endpoint_is_told_that_it_is_a_test_and_asked_again(cast: Cast, protocol: str, answer: Answer) -> None:
    busy = error(503, "busy")
    with fake_provider(busy, error(429, "slow", Retry_After="0"), answer) as service:
        found = answer_of(cast, endpoint(cast, service.address, protocol))
    assert (found.end.status, found.text) == (Ending.COMPLETED, "Sent.")
    assert [headers.get("Casebook-Run") for headers in service.headers] == ["isolated"] * 3
    with fake_provider(busy) as service:
        found = answer_of(cast, endpoint(cast, service.address, protocol))
    assert (found.end.status, found.end.may_pass, len(service.asked)) == (Ending.FAILED, True, 5)
