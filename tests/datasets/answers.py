"""Conversations with answers for tests: what people asked, what an agent answered in steps, how it was rated."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from accounts.models import Member, Person, Visibility
from accounts.operations.persons import ensure_person_of_member, person_by_external_id
from activity.models import Conversation, Feedback, Message, Run, RunStatus
from agents.models import Agent, AgentKind, AgentVersion
from tests.cast import Cast

QUESTION, ANSWER = "My quince is broken, what now?", "Send the damson back."
EARLIER = (("I bought a medlar.", "A fine medlar."), ("And my friend a second medlar.", "Two medlars, noted."))
TOOLS = [
    {"name": "find_order", "read_only": True},
    {"name": "refund", "read_only": False},
    {"name": "cancel_order"},
]


@dataclass
class Told:
    """An answer with everything around it; `message` is its last step."""

    conversation: Conversation
    question: Message
    steps: list[Message]
    run: Run
    version: AgentVersion
    earlier: list[Message] = field(default_factory=list)

    @property
    def message(self) -> Message:
        return [step for step in self.steps if step.role == "assistant"][-1]


def tool_call(name: str, outcome: str = "ok") -> tuple[dict[str, Any], dict[str, Any]]:
    """A step that calls a tool, and the tool's message; without an outcome the tool never answered."""
    call = {
        "role": "assistant",
        "text": "",
        "tool_calls": [{"id": f"call-{name}-{outcome}", "name": name, "arguments": {"a": 1}}],
    }
    return call, {
        "role": "tool",
        "text": "done",
        "tool_call_id": f"call-{name}-{outcome}",
        "tool_name": name,
        "outcome": outcome,
    }


def make_agent(cast: Cast, owner: Member | None = None) -> AgentVersion:
    owner = owner or cast.owner
    agent = Agent.objects.create(
        organisation=owner.organisation, owner=owner, name="Support", kind=AgentKind.EXTERNAL, newest_version=1
    )
    spec: Any = {"tools": TOOLS}
    return AgentVersion.objects.create(agent=agent, number=1, spec=spec, author=owner)


def make_answer(
    cast: Cast,
    *,
    steps: Sequence[dict[str, Any]] = ({"role": "assistant", "text": ANSWER},),
    question: str = QUESTION,
    earlier: Sequence[tuple[str, str]] = (),
    owner: Member | None = None,
    asker: Person | None = None,
    visibility: str = Visibility.PRIVATE,
    version: AgentVersion | None = None,
    status: str = RunStatus.COMPLETED,
) -> Told:
    """A conversation of the Member, or of `owner`, whose last question an agent answered in these steps."""
    owner = owner or cast.member
    organisation = owner.organisation
    version = version or make_agent(cast, owner)
    asker = asker or ensure_person_of_member(owner)
    conversation = Conversation.objects.create(
        organisation=organisation, agent=version.agent, owner=owner, person=asker, visibility=visibility
    )
    rows: list[dict[str, Any]] = []
    for said, answered in earlier:
        rows += [{"role": "user", "text": said, "author": asker}, {"role": "assistant", "text": answered}]
    rows.append({"role": "user", "text": question, "author": asker})
    run = Run.objects.create(
        organisation=organisation,
        agent=version.agent,
        agent_version=version,
        conversation=conversation,
        person=asker,
        status=status,
        question=question[:500],
    )
    before = len(rows)
    rows += [{**step, "run": run} for step in steps]
    made = [
        Message.objects.create(conversation=conversation, position=place, **row) for place, row in enumerate(rows, 1)
    ]
    conversation.next_position = len(rows) + 1
    conversation.save()
    return Told(conversation, made[before - 1], made[before:], run, version, made[: before - 1])


def rate(message: Message, rating: str, comment: str = "", *, person: Person | None = None) -> Feedback:
    return Feedback.objects.create(message=message, rating=rating, comment=comment, person=person)


def outsider(cast: Cast, name: str) -> Person:
    return person_by_external_id(cast.kettle, external_id=name)
