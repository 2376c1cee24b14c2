"""What people decided of a test run's answers after it had completed, as its page tells it (EV-D34)."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Min

from evals.models import EvalRun
from evals.places import DecidedLater
from review.models import Decision


def decided_later(run: EvalRun) -> DecidedLater | None:
    """How many of its answers, and since when; None where none was. One statement."""
    acts = Decision.objects.filter(score__attempt__run=run, at__gt=run.finished_at).exclude(ruling="").order_by()
    found: Mapping[str, Any] = acts.aggregate(count=Count("score", distinct=True), since=Min("at"))
    return DecidedLater(found["count"], found["since"]) if found["count"] else None
