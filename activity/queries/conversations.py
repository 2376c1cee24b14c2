"""Who may read which conversation: one rule for chat, Activity, the API and cases (PL-30, ACC-D18, ACC-D26)."""

from uuid import UUID

from django.db.models import Q, QuerySet, Value

from accounts.access import may
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.permissions import Permission
from activity.models import Conversation
from agents.models import Agent
from core.errors import NotAllowed, NotFound
from core.folding import fold
from core.limits import LIMITS


def readable_conversations(actor: Actor) -> QuerySet[Conversation]:
    """Those of the organisation that the actor may open, in one SQL query.

    One's own; those shared with the organisation whose agent one may view; with `runs:view` every one (ACC-22).
    """
    rows = Conversation.objects.filter(organisation_id=actor.organisation_id)
    if may(actor, Permission.RUNS_VIEW):
        return rows
    agents = Agent.objects.allowed(actor, Permission.AGENTS_VIEW)
    shared = Q(visibility=Visibility.ORGANISATION, agent__in=agents.order_by().values("pk"))
    return rows.filter(_own(actor) | shared)


def may_open(actor: Actor, conversation: Conversation) -> bool:
    """Whether the actor may read this conversation, by the same rule."""
    return readable_conversations(actor).filter(pk=conversation.pk).exists()


def is_private_of_another(actor: Actor, conversation: Conversation) -> bool:
    """Whether it is somebody else's and not shared with the organisation, so that copying it asks first (ACC-D26)."""
    mine = conversation.owner_id is not None and conversation.owner_id == actor.member_id
    return not mine and conversation.visibility == Visibility.PRIVATE


def find_conversation(actor: Actor, conversation_id: UUID) -> Conversation:
    """The conversation with its agent and owner. Raises `NotFound` where the actor may not open it."""
    rows = readable_conversations(actor).select_related("agent", "owner__user").defer("agent__draft")
    found = rows.filter(pk=conversation_id).first()
    if found is None:
        raise NotFound
    return found


def require_owner(actor: Actor, conversation: Conversation) -> None:
    """Raise `NotAllowed` unless the conversation, which the actor may open, is the actor's own."""
    if not is_own(actor, conversation):
        raise NotAllowed


def is_own(actor: Actor, conversation: Conversation) -> bool:
    """Whether the actor talks in it; a restricted key does so only where it may run agents."""
    owner = conversation.owner_id
    return owner is not None and owner == actor.member_id and actor.key_allows(Permission.AGENTS_RUN)


def may_delete(actor: Actor, conversation: Conversation) -> bool:
    """Whether the actor, who may open it, may delete it: its owner, or whoever looks after personal data."""
    return is_own(actor, conversation) or may(actor, Permission.PRIVACY_MANAGE)


def listed_conversations(actor: Actor, *, search: str = "", agent_id: UUID | None = None) -> QuerySet[Conversation]:
    """Those that the actor may open, with their agents and owners, by words of the title and by agent."""
    rows = readable_conversations(actor).select_related("agent", "owner__user").defer("agent__draft")
    wanted = fold(search[: LIMITS.search_characters])
    rows = rows.filter(title_folded__contains=wanted) if wanted else rows
    return rows.filter(agent_id=agent_id) if agent_id else rows


def refuse_if_out_of_sight(actor: Actor, conversation_id: UUID) -> None:
    """Raise `NotFound` where it stands and the actor may not open it; one that is gone is nobody's secret."""
    if Conversation.objects.filter(pk=conversation_id).exists():
        find_conversation(actor, conversation_id)


def own_conversations(actor: Actor, *, search: str = "") -> QuerySet[Conversation]:
    """The actor's own, with their agents; `search` is looked for in titles, accents and case ignored (BC-53)."""
    rows = Conversation.objects.filter(_own(actor), organisation_id=actor.organisation_id)
    rows = rows.select_related("agent").defer("agent__draft")
    wanted = fold(search[: LIMITS.search_characters])
    return rows.filter(title_folded__contains=wanted) if wanted else rows


def _own(actor: Actor) -> Q:
    """A restricted key reaches its issuer's conversations only where it may talk to agents (ACC-D12)."""
    if actor.member_id is None or not actor.key_allows(Permission.AGENTS_RUN):
        return Q(Value(False))
    return Q(owner_id=actor.member_id)
