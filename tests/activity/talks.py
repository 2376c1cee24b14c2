"""Conversations for tests, in few statements: an agent, a conversation of a member, and what was said in it."""

from typing import Any

from accounts.actor import Actor
from accounts.models import Member, Visibility
from accounts.operations.persons import ensure_person_of_member
from activity.models import Conversation, Message, Run, RunStatus
from agents.models import Agent, AgentVersion
from agents.operations.language_models import connect_with_model


def make_agent(owner: Member, name: str = "Kettle support", *, spec: Any = None, **fields: Any) -> Agent:
    """A published agent that its organisation sees; without a `spec` it has no model and cannot answer."""
    given: dict[str, Any] = {"kind": "model", "newest_version": 1, **fields}
    agent = Agent.objects.create(organisation=owner.organisation, owner=owner, name=name, **given)
    if agent.newest_version:
        AgentVersion.objects.create(agent=agent, number=1, spec=spec or {})
    return agent


def make_conversation(owner: Member, agent: Agent | None = None, **fields: Any) -> Conversation:
    """A private conversation of the member with the agent, or with one of their own."""
    return Conversation.objects.create(
        organisation=owner.organisation,
        agent=agent or make_agent(owner),
        owner=owner,
        person=ensure_person_of_member(owner),
        **{"title": "A question about kettles", "visibility": Visibility.PRIVATE, **fields},
    )


def say(conversation: Conversation, *said: tuple[str, str] | dict[str, Any]) -> list[Message]:
    """Messages in order: `("user", "Is it dishwasher safe?")`, or the fields of one."""
    messages = []
    for one in said:
        fields = {"role": one[0], "text": one[1]} if isinstance(one, tuple) else one
        messages.append(Message(conversation=conversation, position=conversation.next_position, **fields))
        conversation.next_position += 1
    conversation.save()
    Message.objects.bulk_create(messages)
    return messages


def answered(
    conversation: Conversation, question: str = "Is it dishwasher safe?", answer: str = "Only the lid."
) -> list[Message]:
    """A question and an answer in one step, with the completed run they belong to."""
    run = make_run(conversation, question)
    asker = conversation.person
    return say(
        conversation,
        {"role": "user", "text": question, "run": run, "author": asker},
        {"role": "assistant", "text": answer, "run": run, "model": "small-1"},
    )


def make_run(conversation: Conversation, question: str, **fields: Any) -> Run:
    given = {"status": RunStatus.COMPLETED, "step_count": 1, **fields}
    return Run.objects.create(
        organisation=conversation.organisation,
        agent=conversation.agent,
        conversation=conversation,
        person=conversation.person,
        started_by=conversation.owner,
        question=question,
        **given,
    )


CALL = {"id": "call_1", "name": "find_order", "arguments": {"number": 12}}
STEPS: list[dict[str, Any]] = [
    {"role": "user", "text": "Where is order 12?"},
    {"role": "assistant", "text": "Let me look.", "tool_calls": [CALL]},
    {"role": "tool", "text": '{"state": "sent"}', "tool_call_id": "call_1", "tool_name": "find_order", "outcome": "ok"},
    {"role": "assistant", "text": "It was sent on Monday."},
]


def make_talking_agent(owner: Member, address: str, **spec: Any) -> Agent:
    """A published agent that answers through the provider at this address."""
    model = connect_with_model(
        Actor.of_member(owner),
        connection={"name": "Fake", "provider": "compatible", "base_url": address, "key": "k-384758437"},
        model={"name": "small-1"},
    )
    return make_agent(owner, spec={"model": str(model.pk), "instructions": "Be kind.", **spec})
