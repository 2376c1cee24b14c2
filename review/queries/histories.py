"""What happened to one answer in review: who ruled what, and when and why it waited (RV-D24, RV-D30)."""

from dataclasses import dataclass
from datetime import datetime

from accounts.actor import Actor
from review.models import Leaving, Stay
from review.queries.decisions import ShownDecision, history_of, stays_of
from scoring.models import Score


@dataclass(frozen=True)
class Event:
    """One thing that happened: an act on the decision, or with a stay that it entered or left the queue."""

    at: datetime
    act: ShownDecision | None = None
    stay: Stay | None = None
    has_left: bool = False


@dataclass(frozen=True)
class ReviewHistory:
    """All of them, the newest first, with what they come to."""

    acts: list[ShownDecision]
    stays: list[Stay]

    @property
    def revision(self) -> int:
        """What the next act on the decision names; 0 where nobody ruled yet."""
        return self.acts[0].revision if self.acts else 0

    @property
    def decision(self) -> ShownDecision | None:
        """The ruling that holds."""
        return self.acts[0] if self.acts and not self.acts[0].is_withdrawal else None

    @property
    def stay(self) -> Stay | None:
        """Its stay in the queue that lasts."""
        return next((stay for stay in self.stays if stay.left_at is None), None)

    @property
    def events(self) -> list[Event]:
        """An answer leaves the queue when it is decided, which is told once."""
        found = [Event(act.at, act=act) for act in self.acts]
        found += [Event(stay.entered_at, stay=stay) for stay in self.stays]
        found += [
            Event(stay.left_at, stay=stay, has_left=True)
            for stay in self.stays
            if stay.left_at and stay.leaving != Leaving.DECIDED
        ]
        return sorted(found, key=lambda event: event.at, reverse=True)


def review_history(actor: Actor, score: Score, *, is_readable: bool) -> ReviewHistory:
    """Of a score that the actor sees; notes only where they may read the answer (RV-75)."""
    return ReviewHistory(history_of(actor, score, is_readable=is_readable), stays_of(score))
