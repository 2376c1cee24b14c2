"""Retention: what an organisation no longer keeps of its runs is deleted every day (PL-34)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.actor import Actor
from accounts.models import Organisation
from activity.models import Conversation, Run
from activity.queries.retention import old_conversations, old_runs

BATCH = 200


def delete_old_runs() -> dict[str, int]:
    """Delete production runs and conversations past the days of each organisation; how many of each in all.

    Batch by batch, each in a transaction, so it can be cut off and repeated. Cases and scores taken from them stay,
    and their links go by their foreign keys (ACC-41, ACC-64). What was spent stays counted.
    """
    totals = {"conversations": 0, "runs": 0}
    for organisation in Organisation.objects.exclude(retention_days=None).order_by("pk"):
        counts = _delete_of(organisation)
        for name, number in counts.items():
            totals[name] += number
    return totals


def _delete_of(organisation: Organisation) -> dict[str, int]:
    days = organisation.retention_days or 0
    before = timezone.now() - timedelta(days=days)
    with_their_runs = _in_batches(lambda: _delete_conversations(organisation, before))
    runs = _in_batches(lambda: _delete_runs(organisation, before))
    counts = {"conversations": sum(one for one, _runs in with_their_runs), "runs": sum(runs)}
    counts["runs"] += sum(of_them for _one, of_them in with_their_runs)
    if any(counts.values()):
        audit.record(Actor.system(organisation), "runs.deleted_by_age", organisation, days=days, **counts)
    return counts


def _in_batches(act: Callable[[], Any]) -> list[Any]:
    """What each batch gave, until one finds nothing more."""
    found = []
    while (done := act()) is not None:
        found.append(done)
    return found


@transaction.atomic
def _delete_conversations(organisation: Organisation, before: datetime) -> tuple[int, int] | None:
    """Some conversations with their runs and ratings; how many of both, None where there are no more.

    They are locked and asked again, so that one which somebody goes on with at this moment stays.
    """
    some = list(old_conversations(organisation, before).order_by("last_at").values_list("pk", flat=True)[:BATCH])
    rows = Conversation.objects.select_for_update(of=("self",)).filter(pk__in=some, last_at__lt=before)
    ids = [row.pk for row in rows.order_by("pk")]
    if not ids:
        return None
    runs = Run.objects.filter(conversation__in=ids).count()
    Conversation.objects.filter(pk__in=ids).delete()
    return len(ids), runs


@transaction.atomic
def _delete_runs(organisation: Organisation, before: datetime) -> int | None:
    """Some old runs of conversations that go on; their messages stay there. None where there are no more.

    Locked first, so that a case that is being taken from one of them is there before its link is cleared.
    """
    some = list(old_runs(organisation, before).order_by("started_at").values_list("pk", flat=True)[:BATCH])
    rows = Run.objects.select_for_update(of=("self",)).filter(pk__in=some)
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    if not ids:
        return None
    Run.objects.filter(pk__in=ids).delete()
    return len(ids)
