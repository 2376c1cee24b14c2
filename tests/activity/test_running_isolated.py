"""Isolated runs, many at once over one desk, and the runs of helpers (EV-D12, EV-D13, EV-D15, ACC-24, GEN-60)."""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import anyio
import pytest
from django.utils import timezone

from activity.models import Conversation, Message, Run, RunKind, RunStatus
from activity.operations.helper_runs import HelperCalls, record_helper_run
from activity.operations.isolated_runs import answer_isolated, run_isolated
from agents.logic.usage import Usage
from agents.loop.desk import Desk, run_attended
from agents.loop.events import Ended, Ending
from agents.models import Agent, AgentVersion, Helper, Spending
from agents.queries.spending import budget_of_organisation
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.activity.agents_that_answer import find_order, published
from tests.agents.provider_server import Answer, FakeProvider, error, fake_provider, says, wants
from tests.cast import Cast

TURNS = [
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "How can I help?"},
    {"role": "user", "content": "Cancel order 12."},
]


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def shop() -> Iterator[FakeProvider]:
    with fake_provider(Answer({"state": "sent"})) as server:
        yield server


@pytest.mark.spec("PL-22", "EV-13", "EV-14", "EV-15", "EV-D12", "EV-D13")
def test_an_isolated_run_has_a_conversation_of_its_own_and_its_writes_are_blocked(
    cast: Cast, shop: FakeProvider
) -> None:
    tools = [find_order(shop), find_order(shop, name="cancel_order", read_only=False)]
    calls = [("find_order", {"number": 12}), ("cancel_order", {"number": 12})]
    with fake_provider(wants(*calls), says("It is cancelled.")) as provider:
        agent = published(cast, provider, tools=tools)
        run = run_isolated(cast.actor("operator"), agent_id=agent.pk, turns=TURNS).run
    assert (run.kind, run.status, run.started_by, run.person) == (
        RunKind.ISOLATED, RunStatus.COMPLETED, cast.operator, None,
    )  # fmt: skip
    assert (run.question, run.step_count, run.tool_call_count) == ("Cancel order 12.", 4, 2)
    assert len(shop.asked) == 1
    messages = list(Message.objects.order_by("position"))
    assert [message.position for message in messages] == list(range(1, 8))
    assert [message.role for message in messages[:4]] == ["user", "assistant", "user", "assistant"]
    assert [message.run for message in messages] == [None, None, *[run] * 5]
    outcomes = {message.tool_name: message.outcome for message in messages if message.role == "tool"}
    assert outcomes == {"find_order": "ok", "cancel_order": "blocked"}
    conversation = Conversation.objects.get()
    assert (conversation.owner, conversation.next_position) == (None, 8)
    assert Spending.objects.get().usd == run.cost


def test_many_answer_at_once_in_one_process_and_one_that_fails_hurts_no_other(cast: Cast) -> None:
    with fake_provider(Answer(says("Yes.").body, events=says("Yes.").events, slow=0.5)) as provider:
        agent = published(cast, provider)
        broken = published(cast, provider, model=None)

        async def all_of_them(desk: Desk[Any]) -> list[Run]:
            runs: list[Run] = []

            async def one(wanted: Agent) -> None:
                answer = await answer_isolated(desk, cast.actor("owner"), agent_id=wanted.pk, turns=TURNS)
                runs.append(answer.run)

            async with anyio.create_task_group() as group:
                for wanted in [agent] * 8 + [broken]:
                    group.start_soon(one, wanted)
            return runs

        runs = run_attended(all_of_them)
    assert provider.most_at_once > 1
    assert sorted(run.status for run in runs) == [RunStatus.COMPLETED] * 8 + [RunStatus.FAILED]
    assert {run.kind for run in runs} == {RunKind.EVAL}
    assert Conversation.objects.count() == 9


@pytest.mark.spec("EV-D23")
@pytest.mark.parametrize(
    ("refusal", "may_pass"), [(error(400, "no"), False), (error(429, "later", Retry_After="99"), True)]
)
def test_whether_another_try_may_help_is_told(cast: Cast, refusal: Answer, may_pass: bool) -> None:
    with fake_provider(refusal) as provider:
        agent = published(cast, provider)
        answer = run_isolated(cast.actor("owner"), agent_id=agent.pk, turns=TURNS)
    assert (answer.run.status, answer.end.may_pass) == (RunStatus.FAILED, may_pass)


def test_cancelling_ends_the_run_as_cancelled(cast: Cast) -> None:
    with fake_provider(Answer(hangs=True)) as provider:
        agent = published(cast, provider)

        async def given_up(desk: Desk[Any]) -> None:
            with anyio.move_on_after(0.3):
                await answer_isolated(desk, cast.actor("owner"), agent_id=agent.pk, turns=TURNS)

        run_attended(given_up)
    assert Run.objects.get().status == RunStatus.CANCELLED


def test_a_version_is_named_by_its_number(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider)
        first = AgentVersion.objects.get()
        AgentVersion.objects.create(agent=agent, number=2, spec=first.spec | {"instructions": "Be long."})
        Agent.objects.filter(pk=agent.pk).update(newest_version=2)
        ask = partial(run_isolated, cast.actor("owner"), agent_id=agent.pk, turns=TURNS)
        ask(number=1)
        ask()
        with pytest.raises(NotFound):
            ask(number=3)
    said = [sent["messages"][0]["content"] for sent in provider.asked]
    assert said == ["Be brief.", "Be long."]


@pytest.mark.spec("EV-D4", "EV-D14")
def test_who_may_not_run_the_agent_is_refused(cast: Cast) -> None:
    with fake_provider() as provider:
        agent = published(cast, provider)
    for who, refusal in [("viewer", NotAllowed), ("stranger", NotFound)]:
        with pytest.raises(refusal):
            run_isolated(cast.actor(who), agent_id=agent.pk, turns=TURNS)
    Agent.objects.filter(pk=agent.pk).update(state="archived")
    with pytest.raises(Conflict):
        run_isolated(cast.actor("owner"), agent_id=agent.pk, turns=TURNS)
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    "turns",
    [
        [],
        TURNS[:2],
        [{"role": "tool", "content": "x"}, *TURNS],
        [{"role": "user", "content": "a\x00"}],
        [{"role": "user"}],
    ],
)
def test_turns_that_are_none_are_refused(cast: Cast, turns: Any) -> None:
    with fake_provider() as provider:
        agent = published(cast, provider)
    with pytest.raises(Invalid):
        run_isolated(cast.actor("owner"), agent_id=agent.pk, turns=turns)


@pytest.mark.spec("ACC-24", "EV-D15", "GEN-58", "GEN-59", "GEN-60")
def test_a_helpers_run_keeps_no_words_and_counts_against_its_own_and_the_organisations_budget(cast: Cast) -> None:
    calls = HelperCalls(timezone.now(), 1.5, "small-1", 2, Usage(100, 10, 5), Decimal("0.03"))
    end = Ended(Ending.FAILED, "The reply's fields “score” and “reason” could not be read.")
    run = record_helper_run(cast.kettle, helper=Helper.JUDGE, calls=calls, end=end, started_by=cast.operator)
    assert (run.kind, run.status, run.error, run.conversation) == (RunKind.HELPER, RunStatus.FAILED, end.error, None)
    assert (run.input_tokens, run.cached_tokens, run.output_tokens, run.cost) == (100, 10, 5, Decimal("0.03"))
    assert (run.step_count, run.seconds, run.agent) == (2, 1.5, Agent.objects.get(helper="judge"))
    assert not Message.objects.exists()
    assert budget_of_organisation(cast.kettle).spent == Decimal("0.03")


@pytest.mark.spec("BC-38")
def test_what_a_helper_does_not_say_stays_unknown(cast: Cast) -> None:
    calls = HelperCalls(timezone.now(), 0.0)
    run = record_helper_run(cast.kettle, helper=Helper.IMPROVER, calls=calls, end=Ended(Ending.COMPLETED))
    assert (run.cost, run.input_tokens, run.seconds) == (None, None, 0.0)
    assert not Spending.objects.exists()
