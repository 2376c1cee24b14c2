"""How many requests one key or session may make (API_RATE)."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class ActorRateThrottle(SimpleRateThrottle):
    """Counts by key, else by member."""

    scope = "actor"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        actor = request.auth
        if actor is None:
            return None
        return self.cache_format % {"scope": self.scope, "ident": actor.key.pk if actor.key else actor.member_id}
