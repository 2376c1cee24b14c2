"""Storing what persons think of answers: one door for members in the chat and for integrators (PL-30, PL-32)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from activity.models import Conversation, Feedback, Message, Run


@dataclass(frozen=True)
class Rating:
    """A thumb on one answer. `message` is the answer's last; `person_id` is None where nobody was named."""

    message: Message
    person_id: UUID | None
    rating: str
    comment: str = ""
    at: datetime | None = None


def store_ratings(ratings: Sequence[Rating]) -> list[Feedback]:
    """Keep the ratings, each in place of an earlier one by the same person, and `Run.rating` right; the rows in order.

    Asks nobody: the caller has decided who may. Call inside a transaction. The conversations are locked, so that two
    ratings at once, also two of nobody's, make one row.
    """
    lock_conversations({each.message.conversation_id for each in ratings})
    found = Feedback.objects.filter(message__in={each.message.pk for each in ratings})
    kept = {(row.message_id, row.person_id): row for row in found}
    now, new, stored = timezone.now(), [], []
    for each in ratings:
        place = (each.message.pk, each.person_id)
        row = kept.get(place)
        if row is None:
            row = kept[place] = Feedback(message=each.message, person_id=each.person_id, created_at=each.at or now)
            new.append(row)
        row.rating, row.comment, row.changed_at = each.rating, each.comment, each.at or now
        stored.append(row)
    made = {id(row) for row in new}
    changed = list({id(row): row for row in stored if id(row) not in made}.values())
    Feedback.objects.bulk_create(new, batch_size=500)
    Feedback.objects.bulk_update(changed, ["rating", "comment", "changed_at"], batch_size=100)
    refresh_run_ratings({each.message.run_id for each in ratings if each.message.run_id})
    return stored


def refresh_run_ratings(run_ids: Collection[UUID]) -> None:
    """Let each run show the newest rating of its messages, or none where none is left. Call inside a transaction."""
    rows = Feedback.objects.filter(message__run__in=run_ids).order_by("changed_at", "pk")
    newest = dict(rows.values_list("message__run", "rating"))
    by_rating: dict[str, list[UUID]] = {}
    for run_id in run_ids:
        by_rating.setdefault(newest.get(run_id, ""), []).append(run_id)
    for rating, ids in by_rating.items():
        Run.objects.filter(pk__in=ids).exclude(rating=rating).update(rating=rating)


def lock_conversations(ids: Collection[UUID]) -> dict[UUID, Conversation]:
    """The conversations by id, locked until the transaction ends; in the order of their ids, so that nobody waits in a
    circle."""
    rows = Conversation.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids).order_by("pk")
    return {row.pk: row for row in rows}
