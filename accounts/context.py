"""What every console page knows: the actor, what the rail may show, and the other organisations."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.access import may
from accounts.permissions import Permission
from accounts.queries.members import memberships


def console(request: HttpRequest) -> dict[str, Any]:
    """`actor`; `can`, which permissions the actor has with any scope (`can.members_manage`); `organisations`.

    `organisations` is read only where a template asks for it; `mail_is_set_up` says whether links can be mailed.
    """
    actor = getattr(request, "actor", None)
    can = {permission.name.lower(): may(actor, permission) for permission in Permission} if actor else {}
    mine: Any = SimpleLazyObject(lambda: list(memberships(request.user))) if actor else []  # type: ignore[arg-type]
    return {
        "actor": actor,
        "can": can,
        "organisations": mine,
        "mail_is_set_up": settings.EMAIL_IS_SET_UP,
    }
