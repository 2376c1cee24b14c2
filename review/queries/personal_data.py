"""What the review queue holds of a person: which answers they sent there (ACC-62)."""

from typing import Any

from accounts.models import Person
from review.models import Stay


def sent_by(person: Person) -> list[dict[str, Any]]:
    """The answers that the person sent to review, by their scores."""
    if not person.member_id:
        return []
    rows = Stay.objects.filter(by=person.member_id).order_by("entered_at", "pk")
    return [
        {"score": str(score_id), "dataset": name, "sent_at": moment.isoformat()}
        for score_id, name, moment in rows.values_list("score_id", "dataset__name", "entered_at")
    ]
