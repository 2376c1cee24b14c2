"""Creating, changing and deleting knowledge bases (PL-24)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.members import lock_members
from accounts.operations.named_resources import change_named_resource, checked
from accounts.permissions import Permission
from agents.models import KnowledgeBase


@transaction.atomic
def create_knowledge_base(
    actor: Actor, *, name: str, description: str = "", visibility: str = Visibility.ORGANISATION
) -> KnowledgeBase:
    """Make an empty knowledge base owned by the actor.

    Raises `NotAllowed` without `knowledge:edit` of any scope, `Invalid` for a wrong name, description, visibility.
    """
    lock_members(actor)  # a removal hands over what its member owns by then
    access.require(actor, Permission.KNOWLEDGE_EDIT)
    if actor.member is None:
        raise ValueError("a knowledge base has an owner, so somebody must create it")
    wanted = checked({"name": name, "description": description, "visibility": visibility})
    base = KnowledgeBase.objects.create(organisation=actor.organisation, owner=actor.member, **wanted)
    audit.record(actor, "knowledgebase.created", base, visibility=base.visibility)
    return base


@transaction.atomic
def change_knowledge_base(actor: Actor, *, knowledge_base_id: UUID, changes: Mapping[str, Any]) -> KnowledgeBase:
    """Change what is given of name, description and visibility; the rest stays.

    Raises `NotFound`, `NotAllowed` without `knowledge:edit` on it, `Invalid`.
    """
    base = lock_knowledge_base(actor, knowledge_base_id=knowledge_base_id)
    wanted = checked(changes)
    change_named_resource(actor, base, wanted=wanted)
    return base


@transaction.atomic
def delete_knowledge_base(actor: Actor, *, knowledge_base_id: UUID) -> None:
    """Delete the base with its documents and passages; agents that name it find nothing in it from then on.

    Raises `NotFound`, `NotAllowed` without `knowledge:edit` on it.
    """
    base = lock_knowledge_base(actor, knowledge_base_id=knowledge_base_id)
    counts = {"documents": base.document_count, "passages": base.passage_count}
    audit.record(actor, "knowledgebase.deleted", base, **counts)
    base.delete()


def lock_knowledge_base(actor: Actor, *, knowledge_base_id: UUID) -> KnowledgeBase:
    """The base for who may edit it, its row held until the commit. Raises `NotFound`, `NotAllowed`."""
    rows: Any = KnowledgeBase.objects.select_for_update(no_key=True, of=("self",)).select_related("owner__user")
    found: KnowledgeBase = access.fetch(rows, actor, Permission.KNOWLEDGE_EDIT, pk=knowledge_base_id)
    return found
