"""What happened to one answer in review: who ruled what, and when and why it waited (RV-D24, RV-D30)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.actor import Actor
from review.models import Leaving, Stay
from review.queries.decisions import ShownDecision, history_of, stays_of
from scoring.models import Score
from scoring.queries.score_rows import sight_of


@dataclass(frozen=True)
class Event:
    """One thing that happened: an act on the decision, or with a stay that it entered or left the queue."""

    at: datetime
    act: ShownDecision | None = None
    stay: Stay | None = None
    has_left: bool = False


@dataclass(frozen=True)
class ScoreReview:
    """All that people did about one score: the acts on it and its stays in the queue, each the newest first."""

    score: Score
    history: Sequence[ShownDecision]
    stays: Sequence[Stay]
    is_readable: bool

    @property
    def revision(self) -> int:
        """What the next act on the decision names; 0 where nobody ruled yet."""
        return self.history[0].revision if self.history else 0

    @property
    def decision(self) -> ShownDecision | None:
        """The ruling that holds."""
        return None if not self.history or self.history[0].is_withdrawal else self.history[0]

    @property
    def stay(self) -> Stay | None:
        """Its stay in the queue that lasts."""
        return next((stay for stay in self.stays if stay.left_at is None), None)

    @property
    def status(self) -> str:
        """ "waiting" while it waits for a person, "decided" while a decision holds, else empty (RV-D4)."""
        if self.stay:
            return "waiting"
        return "decided" if self.decision else ""

    @property
    def events(self) -> list[Event]:
        """Everything, the newest first. An answer leaves the queue when it is decided, which is told once."""
        found = [Event(act.at, act=act) for act in self.history]
        found += [Event(stay.entered_at, stay=stay) for stay in self.stays]
        found += [
            Event(stay.left_at, stay=stay, has_left=True)
            for stay in self.stays
            if stay.left_at and stay.leaving != Leaving.DECIDED
        ]
        return sorted(found, key=lambda event: event.at, reverse=True)


def review_of(actor: Actor, score: Score, *, is_readable: bool | None = None) -> ScoreReview:
    """Of a score that the actor sees, notes only where they may read the answer (RV-75); two queries, and one for that
    where the caller does not know it."""
    if is_readable is None:
        is_readable = sight_of(actor, [score]).may_read(score)
    return ScoreReview(score, history_of(actor, score, is_readable=is_readable), stays_of(score), is_readable)
