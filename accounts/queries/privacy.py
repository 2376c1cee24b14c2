"""Reading requests about persons."""

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import PersonRequest


def requests_shown(actor: Actor) -> QuerySet[PersonRequest]:
    """The organisation's newest requests, with whom they are about; the content of exports is left unread."""
    rows = PersonRequest.objects.of(actor).defer("content").select_related("person__member__user", "asked_by__user")
    return rows.order_by("-created_at", "-pk")[:200]


def own_requests(actor: Actor) -> QuerySet[PersonRequest]:
    """The acting member's own exports that can be fetched, newest first."""
    mine = PersonRequest.objects.of(actor).filter(person__member__in=[actor.member_id], kind=PersonRequest.Kind.EXPORT)
    return mine.exclude(content="").defer("content").order_by("-created_at")
