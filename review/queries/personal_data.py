"""What review holds of a person: the answers they sent there, what they decided, and their criteria (ACC-62)."""

from typing import Any

from accounts.models import Person
from review.models import Decision, MadeCriterion, Stay

Entries = list[dict[str, Any]]


def done_by(person: Person) -> dict[str, Entries]:
    """What the person did in review, with the notes and criteria they wrote; each by the score it is about."""
    if not person.member_id:
        return {"sent_to_review": [], "decisions": [], "criteria": []}
    return {
        "sent_to_review": _sent_by(person.member_id),
        "decisions": _decided_by(person.member_id),
        "criteria": _made_by(person.member_id),
    }


def _sent_by(member_id: Any) -> Entries:
    rows = Stay.objects.filter(by=member_id).order_by("entered_at", "pk")
    return [
        {"score": str(score_id), "dataset": name, "sent_at": moment.isoformat()}
        for score_id, name, moment in rows.values_list("score_id", "dataset__name", "entered_at")
    ]


def _decided_by(member_id: Any) -> Entries:
    rows = Decision.objects.filter(by=member_id).order_by("at", "pk")
    return [
        {
            "score": str(score_id),
            "dataset": name,
            "decision": ruling or "withdrawn",
            "note": note,
            "decided_at": moment.isoformat(),
        }
        for score_id, name, ruling, note, moment in rows.values_list(
            "score_id", "score__dataset__name", "ruling", "note", "at"
        )
    ]


def _made_by(member_id: Any) -> Entries:
    rows = MadeCriterion.objects.filter(by=member_id).order_by("at", "pk")
    return [
        {"score": str(score_id), "dataset": name, "criterion": criterion, "made_at": moment.isoformat()}
        for score_id, name, criterion, moment in rows.values_list("score_id", "score__dataset__name", "criterion", "at")
    ]
