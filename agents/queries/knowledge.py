"""Finding knowledge bases and their documents, and which agents read one (PL-24)."""

from uuid import UUID

from django.db.models import QuerySet

from accounts import access
from accounts.access import SharedQuerySet
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, Document, KnowledgeBase, Passage
from core.errors import NotFound
from core.folding import fold
from core.limits import LIMITS


def find_knowledge(
    actor: Actor, knowledge_base_id: UUID, permission: Permission = Permission.KNOWLEDGE_VIEW
) -> KnowledgeBase:
    """The base with its owner. Raises `NotFound` where it may not be known, `NotAllowed` where more is needed."""
    return access.fetch(_rows(), actor, permission, pk=knowledge_base_id)


def visible_knowledge(actor: Actor, *, search: str = "") -> QuerySet[KnowledgeBase]:
    """What the actor can see whose name holds the search, accents and case ignored (BC-53)."""
    rows = _rows().allowed(actor, Permission.KNOWLEDGE_VIEW)
    wanted = fold(search[: LIMITS.search_characters])
    return rows.filter(name_folded__contains=wanted) if wanted else rows


def knowledge_to_choose(actor: Actor) -> QuerySet[KnowledgeBase]:
    """What the actor may give to an agent to read, by name."""
    return visible_knowledge(actor).order_by("name_folded", "pk")


def documents_of(knowledge_base: KnowledgeBase, *, search: str = "") -> QuerySet[Document]:
    """The documents of a base whose name holds the search, with who added them."""
    rows = Document.objects.filter(knowledge_base=knowledge_base).select_related("added_by__user")
    wanted = fold(search[: LIMITS.search_characters])
    return rows.filter(name_folded__contains=wanted) if wanted else rows


def find_document(knowledge_base: KnowledgeBase, document_id: UUID) -> Document:
    """A document of the base; raises `NotFound`."""
    document = documents_of(knowledge_base).filter(pk=document_id).first()
    if document is None:
        raise NotFound
    return document


def passages_of(document: Document) -> QuerySet[Passage]:
    """The passages of a document in its order."""
    return Passage.objects.filter(document=document).order_by("position")


def agents_reading(actor: Actor, knowledge_base: KnowledgeBase) -> list[Agent]:
    """The agents that the actor can see whose draft names the base, by name."""
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by("name_folded", "pk")
    found = seen.filter(draft__contains=knowledge_base.id_text)
    return [agent for agent in found if knowledge_base.id_text in (agent.draft.get("knowledge") or [])]


def _rows() -> SharedQuerySet[KnowledgeBase]:
    return KnowledgeBase.objects.select_related("owner__user")
