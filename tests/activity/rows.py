"""Agents, conversations and runs for the tests, made straight in the tables."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from accounts.models import Organisation, Person
from activity.models import Conversation, Message, Run
from agents.models import Agent, AgentVersion
from core.folding import fold
from tests.cast import Cast


def make_agent(cast: Cast, name: str = "Support", **fields: Any) -> Agent:
    """An external agent of Kettle & Co, unless another organisation's owner is given."""
    owner = fields.pop("owner", cast.owner)
    return Agent.objects.create(
        organisation=owner.organisation, owner=owner, name=name, **({"kind": "external"} | fields)
    )


def make_version(agent: Agent, number: int = 1) -> AgentVersion:
    """A published version."""
    return AgentVersion.objects.create(agent=agent, number=number, spec={"tools": []})


def make_person(organisation: Organisation, external_id: str = "customer-1") -> Person:
    """An end user known by an integrator's id."""
    return Person.objects.get_or_create(organisation=organisation, external_id=external_id)[0]


def make_run(agent: Agent, question: str = "Where is my order?", answer: str = "On its way.", **fields: Any) -> Run:
    """A completed run with its question and one answer, in a conversation of its own unless one is given.

    `minutes` ago it began; `steps` are messages between question and answer, as keywords of `Message`.
    """
    minutes, steps = fields.pop("minutes", 0), fields.pop("steps", [])
    conversation = fields.pop("conversation", None) or make_conversation(agent, person=fields.get("person"))
    began = timezone.now() - timedelta(minutes=minutes)
    given = {"status": "completed", "model": "small-1", "input_tokens": 100, "output_tokens": 20}
    given |= {"cost": Decimal("0.02"), "seconds": 1.5, "started_at": began, "finished_at": began, "step_count": 1}
    run = Run.objects.create(
        organisation=agent.organisation,
        agent=agent,
        conversation=conversation,
        question=question[:500],
        question_folded=fold(question)[:1000],
        **(given | fields),
    )
    say(run, role="user", text=question, author=run.person)
    for step in steps:
        say(run, **step)
    if answer:
        own = {name: given[name] for name in ("model", "input_tokens", "output_tokens", "cost", "seconds")}
        say(run, role="assistant", text=answer, **own)
    return run


def make_conversation(agent: Agent, **fields: Any) -> Conversation:
    return Conversation.objects.create(organisation=agent.organisation, agent=agent, **fields)


def say(run: Run, **fields: Any) -> Message:
    """The next message of the run's conversation."""
    conversation: Any = run.conversation
    message = Message.objects.create(conversation=conversation, run=run, position=conversation.next_position, **fields)
    conversation.next_position += 1
    conversation.save()
    return message
