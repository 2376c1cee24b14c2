"""Beginning, naming, sharing and deleting conversations (PL-30, ACC-40 to ACC-43)."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.naming import clean_name
from accounts.operations.persons import ensure_person_of_member
from activity.models import Conversation
from activity.operations.running import Answering, answer_in_conversation
from activity.queries.conversations import may_delete, readable_conversations, require_owner
from activity.queries.talking import find_agent_to_talk_to
from core.errors import DomainError, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from core.texts import UNSTORABLE


@dataclass(frozen=True)
class Deleted:
    """What went with a conversation."""

    messages: int
    runs: int


def begin_conversation(actor: Actor, *, agent_id: UUID, text: str) -> Answering:
    """Start a conversation with its first question; the answer is under way when this returns.

    Raises what `find_agent_to_talk_to` and `answer_in_conversation` do; then there is no conversation either. Not to be
    called inside a transaction: an answer may take minutes.
    """
    conversation = _start(actor, agent_id=agent_id, text=text)
    try:
        return answer_in_conversation(actor, conversation_id=conversation.pk, text=text)
    except DomainError:
        conversation.delete()
        raise


@transaction.atomic
def rename_conversation(actor: Actor, *, conversation_id: UUID, title: str) -> Conversation:
    """Give one's conversation another title. Raises `NotFound`, `NotAllowed` for another's, `Invalid` at `title`."""
    conversation = lock_own(actor, conversation_id)
    wanted = clean_name(title, field="title", most=LIMITS.conversation_title_characters)
    if wanted != conversation.title:
        conversation.title = wanted
        conversation.save(update_fields=["title"])
        audit.record(actor, "conversation.changed", conversation, fields=["title"])
    return conversation


@transaction.atomic
def change_conversation_visibility(actor: Actor, *, conversation_id: UUID, visibility: str) -> Conversation:
    """Share one's conversation with the organisation, or take that back (PL-30).

    Raises `NotFound`, `NotAllowed` for another's, `Invalid` naming `visibility`.
    """
    conversation = lock_own(actor, conversation_id)
    if visibility not in Visibility.values:
        raise Invalid.at("visibility", _("Choose who may see it."))
    if visibility != conversation.visibility:
        before, conversation.visibility = conversation.visibility, visibility
        conversation.save(update_fields=["visibility"])
        audit.record(actor, "conversation.visibility_changed", conversation, before=before, after=visibility)
    return conversation


@transaction.atomic
def change_conversation(
    actor: Actor, *, conversation_id: UUID, title: str | None = None, visibility: str | None = None
) -> Conversation:
    """Change what is given of one's conversation. Raises what renaming and sharing it do."""
    conversation = lock_own(actor, conversation_id)
    if title is not None:
        conversation = rename_conversation(actor, conversation_id=conversation_id, title=title)
    if visibility is not None:
        change_conversation_visibility(actor, conversation_id=conversation_id, visibility=visibility)
        conversation.visibility = visibility
    return conversation


@transaction.atomic
def delete_conversation(actor: Actor, *, conversation_id: UUID) -> Deleted:
    """Delete a conversation with its messages, runs and ratings.

    Cases taken from it stay, and their links to it go by their foreign keys (ACC-41, ACC-42). By its owner, or with
    `privacy:manage`. Raises `NotFound`, `NotAllowed`.
    """
    conversation = _locked(actor, conversation_id)
    if not may_delete(actor, conversation):
        raise NotAllowed
    gone = Deleted(conversation.messages.count(), conversation.runs.count())
    audit.record(actor, "conversation.deleted", conversation, messages=gone.messages, runs=gone.runs)
    conversation.delete()
    return gone


def lock_own(actor: Actor, conversation_id: UUID) -> Conversation:
    """One's own conversation, locked until the transaction ends. Raises `NotFound`, `NotAllowed` for another's."""
    conversation = _locked(actor, conversation_id)
    require_owner(actor, conversation)
    return conversation


def _locked(actor: Actor, conversation_id: UUID) -> Conversation:
    rows = readable_conversations(actor).select_related("agent", "owner__user").defer("agent__draft")
    rows = rows.select_for_update(no_key=True, of=("self",))
    conversation = rows.filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    return conversation


@transaction.atomic
def _start(actor: Actor, *, agent_id: UUID, text: str) -> Conversation:
    if actor.member is None:
        raise NotAllowed
    agent = find_agent_to_talk_to(actor, agent_id)
    return Conversation.objects.create(
        organisation=actor.organisation,
        agent=agent,
        owner=actor.member,
        person=ensure_person_of_member(actor.member),
        title=title_of(text),
    )


def title_of(question: str) -> str:
    """The beginning of the first question, on one line and without what no database holds."""
    line = " ".join(UNSTORABLE.sub(" ", question).split())
    most = LIMITS.conversation_title_characters
    return line if len(line) <= most else line[: most - 1] + "…"
