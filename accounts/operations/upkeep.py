"""What a daily job clears: sessions, old invitations, fetched exports."""

from datetime import timedelta
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.models import Invitation, PersonRequest
from core.limits import LIMITS


def clear_expired() -> dict[str, int]:
    """Delete expired sessions, invitations long over, and the content of exports past their days; counts by kind."""
    now = timezone.now()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    old = Invitation.objects.filter(accepted_at=None, expires_at__lt=now - timedelta(days=LIMITS.invitation_kept_days))
    exports = PersonRequest.objects.filter(finished_at__lt=now - timedelta(days=LIMITS.person_export_days))
    return {
        "invitations": old.delete()[0],
        "exports": exports.exclude(content="").update(content=""),
    }


def unfinished_person_requests() -> list[UUID]:
    """Requests whose job should have run by now."""
    late = timezone.now() - timedelta(hours=1)
    return list(PersonRequest.objects.filter(finished_at=None, created_at__lt=late).values_list("pk", flat=True))
