"""What every console page knows: the actor, what the rail may show, and the other organisations."""

from typing import Any

from django.http import HttpRequest

from accounts.access import may
from accounts.permissions import Permission


def console(request: HttpRequest) -> dict[str, Any]:
    """`actor` and `can`, the names of the permissions that the actor has with any scope (`can.members_manage`)."""
    actor = getattr(request, "actor", None)
    can = {p.name.lower(): may(actor, p) for p in Permission} if actor else {}
    return {"actor": actor, "can": can}
