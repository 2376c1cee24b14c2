"""Who has an answer open now, so that two people do not work on one (RV-D35); kept in the cache and nowhere else."""

import time
from collections.abc import Mapping
from uuid import UUID

from django.core.cache import cache

from accounts.actor import Actor
from accounts.models import Member

# A page that is open says so every half minute; one that said nothing for longer is closed or out of sight.
FRESH_SECONDS = 45
# What was said so recently is not said again.
SAID_SECONDS = 15
Looking = Mapping[str, tuple[str, float]]


def look_at(actor: Actor, *, dataset_id: UUID, score_id: UUID) -> list[str]:
    """Say that the actor has this answer of the dataset open, and no other; the names of the others who have it open.

    An API key looks at nothing. Of two who come at the very same moment one is told half a minute later: what the cache
    holds is written as a whole.
    """
    key, now = f"review-looking-{dataset_id.hex}", time.time()
    kept: Looking = cache.get(key) or {}
    looking = {who: (what, at) for who, (what, at) in kept.items() if now - at < FRESH_SECONDS}
    if actor.member and not actor.key:
        me, (what, at) = actor.member.pk.hex, looking.get(actor.member.pk.hex, ("", 0.0))
        if what != score_id.hex or now - at > SAID_SECONDS:
            looking[me] = (score_id.hex, now)
            cache.set(key, looking, FRESH_SECONDS)
    others = [UUID(who) for who, (what, _) in looking.items() if what == score_id.hex]
    return _names(actor, [who for who in others if who != actor.member_id])


def _names(actor: Actor, member_ids: list[UUID]) -> list[str]:
    if not member_ids:
        return []
    members = Member.objects.filter(organisation=actor.organisation, pk__in=member_ids).select_related("user")
    return sorted(str(member) for member in members)
