"""Asking an agent in a conversation: what is stored while it answers, how it may end, who may ask (PL-23, PL-30)."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import PersonRequest
from accounts.operations.persons import ensure_person_of_member
from activity.models import Conversation, Message, Run, RunKind, RunStatus
from activity.operations.running import Answering, Finished, Stored, TextPiece, Waiting, answer_in_conversation
from agents.models import Agent, AgentSecret, AgentVersion, Spending
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.activity.agents_that_answer import find_order, published
from tests.activity.talks import make_conversation
from tests.agents.provider_server import Answer, FakeProvider, error, fake_provider, piece, says, stream, wants
from tests.cast import Cast


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def shop() -> Iterator[FakeProvider]:
    with fake_provider(Answer({"state": "sent"})) as server:
        yield server


def ask(cast: Cast, agent: Agent, text: str = "Where is order 12?", who: str = "member") -> Answering:
    conversation = make_conversation(cast.members[who], agent)
    return answer_in_conversation(cast.actor(who), conversation_id=conversation.pk, text=text)


@pytest.mark.spec("PL-30", "PL-31")
def test_a_question_is_stored_with_its_run_before_the_agent_is_asked(cast: Cast) -> None:
    with fake_provider(says("It was sent.")) as provider:
        answering = ask(cast, published(cast, provider), "Where is order 12?\r\nPlease.")
        assert provider.asked == []
    run, question = Run.objects.get(), Message.objects.get()
    assert (run, question) == (answering.run, answering.question)
    assert (question.role, question.text, question.position, question.run) == (
        "user", "Where is order 12?\nPlease.", 1, run,
    )  # fmt: skip
    person = ensure_person_of_member(cast.member)
    assert (question.author, run.person, run.started_by) == (person, person, cast.member)
    assert (run.kind, run.status, run.question) == (RunKind.PRODUCTION, RunStatus.RUNNING, question.text)
    assert run.question_folded == "where is order 12? please."
    assert run.agent_version is not None
    answering.close()


@pytest.mark.spec("PL-23", "PL-31", "PL-25", "BC-37")
def test_each_step_is_stored_and_told_and_the_run_adds_them_up(cast: Cast, shop: FakeProvider) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 900}}
    answers = [wants(("find_order", {"number": 12}), usage=usage), says("It was sent.", usage=usage)]
    with fake_provider(*answers) as provider:
        agent = published(cast, provider, prices={"cached_price": Decimal("0.2")}, tools=[find_order(shop)])
        told = list(ask(cast, agent))
    stored = [progress.message for progress in told if isinstance(progress, Stored)]
    assert "".join(progress.text for progress in told if isinstance(progress, TextPiece)) == "It was sent."
    assert stored == list(Message.objects.filter(role__in=("assistant", "tool")).order_by("position"))
    asking, result, last = stored
    assert asking.tool_calls == [{"id": "id0", "name": "find_order", "arguments": {"number": 12}}]
    assert (result.tool_call_id, result.tool_name, result.outcome, result.text) == (
        "id0", "find_order", "ok", '{"state": "sent"}',
    )  # fmt: skip
    assert (last.text, last.model, last.input_tokens, last.cached_tokens, last.output_tokens, last.cost) == (
        "It was sent.", "small-1", 1000, 900, 50, Decimal("0.00078"),
    )  # fmt: skip
    assert [message.position for message in stored] == [2, 3, 4]
    run = Run.objects.get()
    assert told[-1] == Finished(run)
    assert (run.status, run.error, run.model, run.step_count, run.tool_call_count) == (
        RunStatus.COMPLETED, "", "small-1", 3, 1,
    )  # fmt: skip
    assert (run.input_tokens, run.cached_tokens, run.output_tokens, run.cost) == (2000, 1800, 100, Decimal("0.00156"))
    assert run.seconds is not None
    assert run.seconds >= 0
    assert run.finished_at is not None
    assert Spending.objects.get().usd == Decimal("0.00156")


@pytest.mark.spec("BC-38")
def test_an_unknown_cost_stays_unknown_and_is_not_spent(cast: Cast) -> None:
    with fake_provider(says("Yes.", usage=None)) as provider:
        list(ask(cast, published(cast, provider)))
    run = Run.objects.get()
    assert (run.status, run.cost, run.input_tokens) == (RunStatus.COMPLETED, None, None)
    assert not Spending.objects.exists()


def test_the_next_question_is_asked_with_what_was_said_before(cast: Cast, shop: FakeProvider) -> None:
    with fake_provider(wants(("find_order", {"number": 12})), says("It was sent."), says("On Monday.")) as provider:
        agent = published(cast, provider, tools=[find_order(shop)])
        conversation = make_conversation(cast.member, agent)
        for text in ("Where is order 12?", "When?"):
            list(answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text=text))
    said = [message["role"] for message in provider.asked[2]["messages"]]
    assert said == ["system", "user", "assistant", "tool", "assistant", "user"]
    conversation.refresh_from_db()
    assert conversation.next_position == 7
    assert Run.objects.filter(status=RunStatus.COMPLETED).count() == 2


@pytest.mark.spec("PL-25")
@pytest.mark.parametrize("whose", ["agent", "organisation"])
def test_a_run_over_budget_fails_with_a_reason_before_money_is_spent(cast: Cast, whose: str) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider)
        Spending.objects.create(agent=agent, month=timezone.now().date().replace(day=1), usd=Decimal(5))
        spender = agent if whose == "agent" else cast.kettle
        spender.monthly_budget = Decimal(5)
        spender.save()
        told = list(ask(cast, agent))
    (finished,) = told
    assert isinstance(finished, Finished)
    assert finished.run.status == RunStatus.OVER_BUDGET
    assert "budget for this month is used up: $5.00 of $5.00" in finished.run.error
    assert provider.asked == []


@pytest.mark.spec("PL-25")
def test_a_budget_that_is_used_up_by_a_step_stops_the_next(cast: Cast, shop: FakeProvider) -> None:
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
    with fake_provider(wants(("find_order", {"number": 12}), usage=usage)) as provider:
        agent = published(cast, provider, tools=[find_order(shop)])
        agent.monthly_budget = Decimal(2)
        agent.save()
        list(ask(cast, agent))
    run = Run.objects.get()
    assert (run.status, run.cost, run.step_count, len(provider.asked)) == (RunStatus.OVER_BUDGET, Decimal(2), 2, 1)


@pytest.mark.spec("PL-23")
@pytest.mark.parametrize(
    ("answer", "spec", "status", "words"),
    [
        (wants(("find_order", {"number": 1})), {"max_steps": 1}, RunStatus.MAX_STEPS, "limit of steps (1)"),
        (stream(piece("I am"), then="hangs"), {"seconds": 1}, RunStatus.TIMED_OUT, "time limit (1 s)"),
        (error(401, "Incorrect key model-key-8374598237"), {}, RunStatus.FAILED, "does not take this key"),
        (says(""), {}, RunStatus.FAILED, "ended without an answer"),
    ],
)
def test_each_end_is_stored_with_its_cause(cast: Cast, answer: Answer, spec: Any, status: str, words: str) -> None:
    with fake_provider(answer) as provider:
        list(ask(cast, published(cast, provider, **spec)))
    run = Run.objects.get()
    assert run.status == status
    assert words in run.error
    assert "model-key" not in run.error
    assert run.finished_at is not None


@pytest.mark.spec("PL-30")
def test_a_reader_who_goes_leaves_a_cancelled_run_with_whole_steps_only(cast: Cast, shop: FakeProvider) -> None:
    with fake_provider(wants(("find_order", {"number": 12})), stream(piece("It was"), then="goes on")) as provider:
        answering = ask(cast, published(cast, provider, tools=[find_order(shop)]))
        with answering:
            for progress in answering:
                if isinstance(progress, TextPiece):
                    break
        assert provider.left.wait(5)
    run = Run.objects.get()
    assert answering.run == run
    assert (run.status, run.step_count) == (RunStatus.CANCELLED, 2)
    assert "went away" in run.error
    assert list(Message.objects.order_by("position").values_list("role", flat=True)) == ["user", "assistant", "tool"]


def test_a_reader_who_goes_before_the_first_piece_leaves_a_cancelled_run(cast: Cast) -> None:
    with fake_provider() as provider, ask(cast, published(cast, provider)):
        pass
    assert (Run.objects.get().status, provider.asked) == (RunStatus.CANCELLED, [])


def test_closing_after_the_end_changes_nothing(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        with ask(cast, published(cast, provider)) as answering:
            list(answering)
        answering.close()
    assert Run.objects.get().status == RunStatus.COMPLETED


def test_while_nothing_comes_the_reader_is_told_so(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("activity.operations.running.IDLE_SECONDS", 0.05)
    with fake_provider(Answer(hangs=True)) as provider, ask(cast, published(cast, provider)) as answering:
        assert next(answering) == Waiting()


def test_a_conversation_that_is_deleted_meanwhile_ends_the_answer_quietly(cast: Cast, shop: FakeProvider) -> None:
    with fake_provider(wants(("find_order", {"number": 12})), says("It was sent.")) as provider:
        answering = ask(cast, published(cast, provider, tools=[find_order(shop)]))
        assert isinstance(next(answering), Stored)
        Conversation.objects.all().delete()
        told = list(answering)
    assert isinstance(told[-1], Finished)
    assert told[-1].run.status == RunStatus.CANCELLED
    assert (Run.objects.count(), Message.objects.count()) == (0, 0)


@pytest.mark.spec("ACC-D35")
def test_nothing_more_is_kept_of_a_person_who_is_to_be_erased(cast: Cast, shop: FakeProvider) -> None:
    with fake_provider(wants(("find_order", {"number": 12})), says("It was sent.")) as provider:
        answering = ask(cast, published(cast, provider, tools=[find_order(shop)]))
        next(answering)
        person = ensure_person_of_member(cast.member)
        PersonRequest.objects.create(person=person, organisation=cast.kettle, kind=PersonRequest.Kind.ERASURE)
        list(answering)
    assert Run.objects.get().status == RunStatus.CANCELLED
    assert Message.objects.filter(role="tool").count() <= 1
    assert not Message.objects.filter(text="It was sent.").exists()
    with fake_provider() as provider, pytest.raises(Conflict) as refused:
        ask(cast, Agent.objects.get())
    assert refused.value.code == "person_erased"


def test_a_fault_of_ours_is_kept_and_told_without_its_text(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any, **_more: Any) -> None:
        raise RuntimeError("secret text")

    monkeypatch.setattr("activity.operations.hosting.why_over_budget", broken)
    with fake_provider() as provider:
        list(ask(cast, published(cast, provider)))
    run = Run.objects.get()
    assert (run.status, "secret text" in run.error) == (RunStatus.FAILED, False)
    assert "fault of Casebook" in run.error


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"model": None}, "No model is chosen"),
        ({"model": "0190a000-0000-7000-8000-000000000000"}, "was removed"),
        ({"tools": [{"name": "x", "secret": "shop"}]}, "“shop” of this agent is not set"),
    ],
)
def test_what_a_version_lacks_is_said_in_its_run(cast: Cast, spec: Any, words: str) -> None:
    with fake_provider() as provider:
        list(ask(cast, published(cast, provider, **spec)))
    run = Run.objects.get()
    assert (run.status, provider.asked) == (RunStatus.FAILED, [])
    assert words in run.error


@pytest.mark.spec("PL-21", "PL-22")
def test_an_endpoint_agent_answers_with_its_secret(cast: Cast) -> None:
    agent = Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Elsewhere", kind="endpoint", newest_version=1
    )
    secret = AgentSecret(agent=agent, name="shop")
    secret.set_value("tool-secret-9283")
    secret.save()
    with fake_provider(Answer({"output": "Hello.", "cost": 0.25})) as service:
        spec = {"protocol": "json", "url": service.address, "secret": "shop"}
        AgentVersion.objects.create(agent=agent, number=1, spec=spec)
        list(ask(cast, agent, "Hi"))
    run = Run.objects.get()
    assert (run.status, run.cost) == (RunStatus.COMPLETED, Decimal("0.25"))
    assert service.keys == ["Bearer tool-secret-9283"]
    assert service.asked[0]["conversation_id"] == str(run.conversation_id)
    assert Spending.objects.get().usd == Decimal("0.25")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"state": "archived"}, "agent_archived"),
        ({"newest_version": 0}, "agent_unpublished"),
        ({"kind": "external"}, "agent_external"),
    ],
)
def test_an_agent_that_does_not_answer_is_refused(cast: Cast, fields: Any, code: str) -> None:
    with fake_provider() as provider:
        agent = published(cast, provider)
        Agent.objects.filter(pk=agent.pk).update(**fields)
        with pytest.raises(Conflict) as refused:
            ask(cast, agent)
    assert refused.value.code == code
    assert not Run.objects.exists()


def test_an_agent_that_is_gone_is_refused(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    Agent.objects.all().delete()
    with pytest.raises(Conflict) as refused:
        answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text="Hi")
    assert refused.value.code == "agent_gone"


@pytest.mark.parametrize("text", ["", " \n", "a\x00b", "x" * 50_001])
def test_a_text_that_is_no_question_is_refused(cast: Cast, text: str) -> None:
    with fake_provider() as provider, pytest.raises(Invalid) as refused:
        ask(cast, published(cast, provider), text)
    assert refused.value.problems[0].field == "text"


@pytest.mark.spec("PL-30", "PL-6")
def test_only_the_owner_of_a_conversation_asks_in_it_and_only_who_may_run_the_agent(cast: Cast) -> None:
    with fake_provider() as provider:
        agent = published(cast, provider)
    conversation = make_conversation(cast.member, agent)
    for who, refusal in [("colleague", NotFound), ("stranger", NotFound), ("owner", NotAllowed)]:
        with pytest.raises(refusal):
            answer_in_conversation(cast.actor(who), conversation_id=conversation.pk, text="Hi")
    with pytest.raises(NotAllowed):
        ask(cast, agent, who="viewer")
    with pytest.raises(NotAllowed):
        answer_in_conversation(Actor.system(cast.kettle), conversation_id=conversation.pk, text="Hi")


def test_one_answer_at_a_time_but_a_lost_one_does_not_hold_the_conversation(cast: Cast) -> None:
    with fake_provider(says("Yes.")) as provider:
        agent = published(cast, provider)
        conversation = make_conversation(cast.member, agent)
        first = answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text="Hi")
        with pytest.raises(Conflict) as refused:
            answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text="Hi?")
        assert refused.value.code == "answering"
        Run.objects.filter(pk=first.run.pk).update(started_at=timezone.now() - timedelta(hours=1))
        list(answer_in_conversation(cast.actor("member"), conversation_id=conversation.pk, text="Hi?"))
    assert Run.objects.get(pk=first.run.pk).status == RunStatus.FAILED
    assert Run.objects.filter(status=RunStatus.COMPLETED).count() == 1
