"""What an organisation no longer keeps, and how much that would be (PL-34)."""

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Organisation
from activity.models import Conversation, Run, RunKind


def old_conversations(organisation: Organisation, before: datetime) -> QuerySet[Conversation]:
    """Conversations in which nothing was said since, but for those that hold runs of another kind than production."""
    others = Run.objects.filter(organisation=organisation).exclude(kind=RunKind.PRODUCTION)
    kept = others.filter(conversation__isnull=False).order_by().values("conversation")
    return Conversation.objects.filter(organisation=organisation, last_at__lt=before).exclude(pk__in=kept)


def old_runs(organisation: Organisation, before: datetime) -> QuerySet[Run]:
    """Production runs that began before."""
    return Run.objects.filter(organisation=organisation, kind=RunKind.PRODUCTION, started_at__lt=before)


def conversations_past(organisation: Organisation, days: int) -> int:
    """How many conversations would be deleted now, if they were kept so many days."""
    return old_conversations(organisation, timezone.now() - timedelta(days=days)).count()
