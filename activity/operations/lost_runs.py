"""Runs that still say "running" though the process that ran them is gone: a kill, a restart, a power cut (PL-23)."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from activity.models import Run, RunStatus
from core.limits import LIMITS

# So long after the longest time limit no process can still be at it.
LOST_AFTER = timedelta(seconds=LIMITS.agent_seconds + 120)


def end_lost_runs(runs: QuerySet[Run] | None = None) -> int:
    """End those of the runs (all, where none are given) that were left behind; how many.

    They failed: nobody knows how far they came beyond the steps that are stored.
    """
    now = timezone.now()
    lost = (Run.objects.all() if runs is None else runs).filter(
        status=RunStatus.RUNNING, started_at__lte=now - LOST_AFTER
    )
    error = _("The server stopped while the agent answered.")
    return lost.update(status=RunStatus.FAILED, error=error, finished_at=now)
