"""Creating, changing and deleting skills (PL-24)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.members import lock_members
from accounts.operations.named_resources import change_named_resource, checked
from accounts.permissions import Permission
from agents.models import Skill
from core.errors import Conflict
from core.limits import LIMITS

TEXTS = {"text": LIMITS.instructions_characters}


@transaction.atomic
def create_skill(
    actor: Actor, *, name: str, text: str, description: str = "", visibility: str = Visibility.ORGANISATION
) -> Skill:
    """Make a skill owned by the actor.

    Raises `NotAllowed` without `skills:edit` of any scope, `Invalid` for a wrong name, text, description, visibility.
    """
    lock_members(actor)  # a removal hands over what its member owns by then
    access.require(actor, Permission.SKILLS_EDIT)
    if actor.member is None:
        raise ValueError("a skill has an owner, so somebody must create it")
    given = {"name": name, "text": text, "description": description, "visibility": visibility}
    skill = Skill.objects.create(organisation=actor.organisation, owner=actor.member, **checked(given, texts=TEXTS))
    audit.record(actor, "skill.created", skill, visibility=skill.visibility)
    return skill


@transaction.atomic
def change_skill(
    actor: Actor, *, skill_id: UUID, changes: Mapping[str, Any], base_revision: int | None = None
) -> Skill:
    """Change what is given of name, text, description and visibility; the rest stays.

    Raises `NotFound`, `NotAllowed` without `skills:edit` on it, `Invalid`, and `Conflict` (`skill_changed`) where
    `base_revision` is given and somebody saved it since.
    """
    skill = lock_skill(actor, skill_id=skill_id)
    wanted = checked(changes, texts=TEXTS)
    if base_revision is not None and base_revision != skill.revision:
        raise Conflict(
            "skill_changed",
            _("Somebody changed the skill since you opened it."),
            {"revision": skill.revision},
        )
    change_named_resource(actor, skill, wanted=wanted, counted="revision")
    return skill


@transaction.atomic
def delete_skill(actor: Actor, *, skill_id: UUID) -> None:
    """Delete the skill. Published versions of agents keep their copy; drafts that name it lose it when next published.

    Raises `NotFound`, `NotAllowed` without `skills:edit` on it.
    """
    skill = lock_skill(actor, skill_id=skill_id)
    audit.record(actor, "skill.deleted", skill, revision=skill.revision)
    skill.delete()


def lock_skill(actor: Actor, *, skill_id: UUID) -> Skill:
    """The skill for who may edit it, its row held until the commit. Raises `NotFound`, `NotAllowed`."""
    rows: Any = Skill.objects.select_for_update(no_key=True, of=("self",)).select_related("owner__user")
    found: Skill = access.fetch(rows, actor, Permission.SKILLS_EDIT, pk=skill_id)
    return found
