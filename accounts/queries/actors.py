"""The actor behind an id, with present rights: for jobs, which ask again before each step that shows or writes."""

from uuid import UUID

from accounts.actor import Actor
from accounts.models import ApiKey, Member
from core.errors import NotFound


def actor_of_member(member_id: UUID | str, key_id: UUID | str | None = None) -> Actor:
    """The member's actor, or their key's, as of now. Raises `NotFound` where the membership or the key has ended."""
    if key_id is not None:
        keys = ApiKey.objects.usable().select_related("member__user", "member__organisation")
        key = keys.filter(pk=key_id, member_id=member_id).first()
        if key is None:
            raise NotFound
        return Actor.of_key(key)
    member = Member.objects.active().select_related("user", "organisation").filter(pk=member_id).first()
    if member is None:
        raise NotFound
    return Actor.of_member(member)
