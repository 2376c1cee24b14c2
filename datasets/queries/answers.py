"""An answer of an agent as a case would hold it, and which datasets hold it already (DS-159 to DS-172, DS-178)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from accounts import access
from accounts.actor import Actor
from accounts.models import Member, Person
from accounts.permissions import Permission
from activity.logic.answers import Turn
from activity.models import Conversation, Message, Run, RunStatus, ToolOutcome
from activity.queries.answers import Answer, find_answer
from activity.queries.conversations import is_private_of_another
from agents.logic.specs import SEARCH_KNOWLEDGE
from agents.models import AgentVersion
from core.errors import NotFound
from datasets.logic.continuations import is_continuation
from datasets.logic.recent_turns import how_many_fit
from datasets.models import Case, CaseRevision, Dataset, LastDataset
from datasets.queries.datasets import visible_rows

# The product's own tool reads only, whoever forgot to say so.
ALWAYS_READ_ONLY = frozenset({SEARCH_KNOWLEDGE})
REFERENCE, COUNTER = "reference_answer", "counter_example"
KEPT_AS = (REFERENCE, COUNTER)


@dataclass(frozen=True)
class CopiedAnswer:
    """What a case takes from an answer. `message` is its last step, which the case links to."""

    answer: Answer
    message: Message

    @property
    def conversation(self) -> Conversation:
        return self.answer.conversation

    @cached_property
    def runs(self) -> list[Run]:
        """The runs that wrote its steps: one as a rule, none once retention removed it."""
        keys = {step.run_id for step in self.answer.steps if step.run_id}
        return list(Run.objects.filter(pk__in=keys)) if keys else []

    @property
    def is_unfinished(self) -> bool:
        """Whether the agent is still writing it."""
        return any(run.status == RunStatus.RUNNING for run in self.runs)

    @property
    def text(self) -> str:
        return self.answer.text

    @cached_property
    def calls(self) -> list[str]:
        """The tools of the calls that succeeded and change something, once a call (DS-169, DS-170, DS-D57)."""
        succeeded = [
            call.name
            for call in self.answer.calls
            if call.answer is not None and call.answer.outcome not in (ToolOutcome.FAILED, ToolOutcome.BLOCKED)
        ]
        if not succeeded:
            return []
        read_only = self._read_only_tools()
        return [name for name in succeeded if name not in read_only]

    @property
    def default_way(self) -> str:
        """How it is kept unless somebody chooses: one rated thumbs down is what not to say (DS-167, DS-168)."""
        return COUNTER if self.answer.is_rated_down and self.text else REFERENCE

    @property
    def turns(self) -> Sequence[Turn[Message]]:
        """The turns before the question, as far as a case holds them (DS-D61)."""
        before = self.answer.turns_before
        return before[len(before) - how_many_fit(before) :]

    @property
    def turns_left_out(self) -> int:
        return len(self.answer.turns_before) - len(self.turns)

    @property
    def goes_on(self) -> bool:
        """Whether the question clearly continues the one before (DS-163)."""
        question = self.answer.question
        return question is not None and bool(self.answer.turns_before) and is_continuation(question.text)

    def _read_only_tools(self) -> frozenset[str]:
        """What the version that answered declares so; a tool that it does not know counts as changing something."""
        versions = AgentVersion.objects.filter(pk__in=[run.agent_version_id for run in self.runs])
        specs: Iterable[Any] = versions.values_list("spec", flat=True)
        declared = {
            tool.get("name") for spec in specs for tool in spec.get("tools", ()) if tool.get("read_only") is True
        }
        return ALWAYS_READ_ONLY | frozenset(declared)


@dataclass(frozen=True)
class AddedTo:
    """A dataset whose newest version has the answer as a case."""

    dataset: Dataset
    case_id: UUID


def find_copied_answer(actor: Actor, message_id: UUID) -> CopiedAnswer:
    """The answer that the message belongs to. Raises `NotFound` where the actor may not read it (DS-174 to DS-176).

    What a helper wrote is nobody's answer: a judge's reply may repeat a case that its reader cannot see (ACC-24).
    """
    answer = find_answer(actor, message_id)
    agent = answer.conversation.agent
    message = answer.last or next((step for step in answer.steps if step.pk == message_id), answer.question)
    if message is None or (agent is not None and agent.is_helper):
        raise NotFound
    return CopiedAnswer(answer, message)


def case_of_answer(dataset: Dataset, copied: CopiedAnswer) -> UUID | None:
    """The case of the newest version that links to the answer, also after it was edited (DS-177, DS-D54)."""
    steps = [step.pk for step in copied.answer.steps] or [copied.message.pk]
    rows = CaseRevision.objects.newest(dataset).filter(case__message__in=steps)
    return rows.values_list("case_id", flat=True).first()


def datasets_with(actor: Actor, copied: CopiedAnswer) -> list[AddedTo]:
    """The datasets that the actor can see and whose newest version has the answer, by name (DS-178)."""
    steps = [step.pk for step in copied.answer.steps] or [copied.message.pk]
    seen = visible_rows().allowed(actor, Permission.DATASETS_VIEW)
    rows = Case.objects.filter(message__in=steps, revisions__until=None, dataset__in=seen.order_by().values("pk"))
    found = rows.select_related("dataset").order_by("dataset__name_folded", "dataset_id", "position")
    # One a dataset; going back to an older version may have brought a second one along.
    return list({case.dataset_id: AddedTo(case.dataset, case.pk) for case in reversed(found)}.values())[::-1]


def may_add_answers(actor: Actor) -> bool:
    """Whether the actor can edit some dataset, or could create one; others see none of both ways (DS-173, ACC-22)."""
    if access.may(actor, Permission.DATASETS_EDIT):
        return True
    return Dataset.objects.allowed(actor, Permission.DATASETS_EDIT).exists()


def datasets_to_add_to(actor: Actor) -> list[Dataset]:
    """Those that the actor may edit, the newest change first."""
    rows = Dataset.objects.allowed(actor, Permission.DATASETS_EDIT)
    return list(rows.order_by("-changed_at", "-pk"))


def last_dataset(actor: Actor) -> UUID | None:
    """The dataset that the member last added to; it may be out of their reach by now (DS-152, DS-D60)."""
    return LastDataset.objects.filter(member=actor.member_id).values_list("dataset_id", flat=True).first()


def owner_of_private(actor: Actor, conversation: Conversation) -> Member | Person | None:
    """Whose private conversation it is where it is another person's; None where copying it asks nothing (ACC-D26)."""
    if not is_private_of_another(actor, conversation):
        return None
    if conversation.owner is not None:
        return conversation.owner
    person = conversation.person
    mine = person is not None and person.member_id is not None and person.member_id == actor.member_id
    return None if mine else person
