"""What test runs hold of a person: which ones they started (ACC-62)."""

from typing import Any

from accounts.models import Person
from evals.models import EvalRun


def started_by(person: Person) -> list[dict[str, Any]]:
    """The test runs that the person started, the oldest first."""
    if not person.member_id:
        return []
    rows = EvalRun.objects.filter(started_by=person.member_id).order_by("created_at", "pk")
    return [
        {"test_run": str(key), "dataset": name, "label": label, "started_at": moment.isoformat()}
        for key, name, label, moment in rows.values_list("pk", "dataset__name", "label", "created_at")
    ]
