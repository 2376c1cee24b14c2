"""The conversations that runs from outside belong to: found or made, locked, and what they hold already."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import md5
from uuid import UUID

from django.db.models import CharField, F, Value
from django.db.models.functions import MD5, Concat

from accounts.models import Visibility
from activity.logic.openai_messages import SentMessage
from activity.logic.overlap import already_there
from activity.models import Conversation, Message, MessageRole
from activity.operations.bulk_rows import insert_rows, update_rows
from core.folding import fold
from core.ids import new_id
from core.limits import LIMITS

NAMES = (
    "id",
    "organisation_id",
    "agent_id",
    "person_id",
    "external_id",
    "title",
    "title_folded",
    "visibility",
    "next_position",
    "started_at",
    "last_at",
)
CHANGED = ("person_id", "title", "title_folded", "next_position", "last_at")
Place = tuple[UUID, str]


@dataclass(slots=True)
class OpenConversation:
    """One conversation while runs are added to it; `digests` are those of its messages, instructions apart."""

    id: UUID
    agent_id: UUID
    external_id: str | None
    is_new: bool = True
    person_id: UUID | None = None
    title: str = ""
    next_position: int = 1
    started_at: datetime | None = None
    last_at: datetime | None = None
    digests: list[str] = field(default_factory=list)
    instructions: set[str] = field(default_factory=set)
    added: list[SentMessage] = field(default_factory=list)

    def add(self, sent: list[SentMessage]) -> list[SentMessage]:
        """Those of the messages that the conversation does not hold yet; it holds them from now on."""
        fresh = sent if self.is_new and not self.added else self._fresh(sent)
        self.added += fresh
        return fresh

    def _fresh(self, sent: list[SentMessage]) -> list[SentMessage]:
        stored = self.digests + [digest(each) for each in self.added if not _is_instruction(each)]
        known = self.instructions | {digest(each) for each in self.added if _is_instruction(each)}
        told = [each for each in sent if not _is_instruction(each)]
        old = {id(each) for each in told[: already_there(stored, [digest(each) for each in told])]}
        return [each for each in sent if id(each) not in old and not (_is_instruction(each) and digest(each) in known)]

    def told(self, question: str, person_id: UUID | None, began: datetime, ended: datetime) -> None:
        """Keep what the lists of conversations show."""
        if not self.title:
            self.title = " ".join(question.split())[: LIMITS.conversation_title_characters]
        self.person_id = self.person_id or person_id
        self.started_at = self.started_at or began
        self.last_at = max(self.last_at or ended, ended)


def _is_instruction(message: SentMessage) -> bool:
    return message.role == MessageRole.SYSTEM


def digest(message: SentMessage) -> str:
    """The fingerprint of role and content, as the database makes it of a stored message."""
    return md5(message.words.encode(), usedforsecurity=False).hexdigest()


def open_conversations(organisation_id: UUID, places: Iterable[Place]) -> dict[Place, OpenConversation]:
    """Conversations by agent and external id; those that are there are locked, the others are still to be stored."""
    by_agent: dict[UUID, set[str]] = defaultdict(set)
    for agent_id, external_id in places:
        by_agent[agent_id].add(external_id)
    found: dict[Place, OpenConversation] = {}
    for agent_id, ids in by_agent.items():
        rows = Conversation.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
        for row in rows.filter(organisation=organisation_id, agent=agent_id, external_id__in=ids):
            known = OpenConversation(row.pk, agent_id, row.external_id, is_new=False, person_id=row.person_id)
            known.title, known.next_position = row.title, row.next_position
            known.started_at, known.last_at = row.started_at, row.last_at
            found[agent_id, str(row.external_id)] = known
    _read_digests(found.values())
    for agent_id, ids in by_agent.items():
        for external_id in ids:
            found.setdefault((agent_id, external_id), OpenConversation(new_id(), agent_id, external_id))
    return found


def _read_digests(conversations: Iterable[OpenConversation]) -> None:
    """The newest messages, as many as one run may repeat; the database makes the digests, so that no text travels."""
    by_id = {each.id: each for each in conversations}
    if not by_id:
        return
    first = {each.id: each.next_position - LIMITS.messages_a_run for each in by_id.values()}
    rows = Message.objects.filter(conversation__in=by_id)
    if min(first.values()) > 0:
        rows = rows.filter(position__gte=min(first.values()))
    line = Value("\n", output_field=CharField())
    words = MD5(Concat(F("role"), line, F("text"), line, F("tool_calls"), output_field=CharField()))
    for key, role, words_digest in rows.order_by("position").values_list("conversation", "role", words):
        if role == MessageRole.SYSTEM:
            by_id[key].instructions.add(words_digest)
        else:
            by_id[key].digests.append(words_digest)


def store_conversations(organisation_id: UUID, conversations: Iterable[OpenConversation]) -> None:
    """Write the new ones and what changed of the others. Raises `IntegrityError` where another request made one too."""
    new = sorted((each for each in conversations if each.is_new), key=lambda each: str(each.external_id or ""))
    insert_rows(Conversation, NAMES, (_row(organisation_id, each) for each in new))
    changed = [each for each in conversations if not each.is_new]
    update_rows(Conversation, CHANGED, ((each.id, _changes(each)) for each in changed))


def _row(organisation_id: UUID, each: OpenConversation) -> tuple[object, ...]:
    person_id, title, folded, next_position, last_at = _changes(each)
    beginning = (each.id, organisation_id, each.agent_id, person_id, each.external_id, title, folded)
    return (*beginning, Visibility.PRIVATE.value, next_position, each.started_at, last_at)


def _changes(each: OpenConversation) -> tuple[object, ...]:
    folded = fold(each.title)[: LIMITS.conversation_title_characters * 4]
    return each.person_id, each.title, folded, each.next_position, each.last_at
