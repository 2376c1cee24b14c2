"""Who waits: the rules by which a score gets, keeps or loses the place of its case and agent (RV-39 to RV-47)."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

GRADED, NOT_GRADED = 1, 0
VERDICTS = ("pass", "fail")


class Sending(StrEnum):
    """What became of a score that was sent (RV-D22); none of them is a failure."""

    WAITING = "waiting"
    ALREADY_WAITING = "already_waiting"
    OUTRANKED = "outranked"
    ALREADY_DECIDED = "already_decided"


@dataclass(frozen=True)
class Candidate:
    """A score as the rules see it. `place` is its case and agent; `outcome` what grading alone found."""

    id: UUID
    place: Hashable
    outcome: str
    graded_at: datetime
    is_decided: bool = False

    @property
    def rank(self) -> int:
        """RV-44, RV-D17: what was graded stands above what nothing graded."""
        return GRADED if self.outcome in VERDICTS else NOT_GRADED

    def goes_before(self, other: "Candidate") -> bool:
        """Whether it takes the other's place: by its rank, then as the newer one (RV-41 to RV-43, RV-D18)."""
        return (self.rank, self.graded_at, self.id) > (other.rank, other.graded_at, other.id)


@dataclass
class Queue:
    """Sends candidates one after the other, in the order of a request (RV-D20), and says what has to be stored.

    `waiting` is who holds each place now. `entering` and `leaving` are what changes at the end, by the ids of scores:
    one that enters and is displaced by a later one of the same request never waited.
    """

    waiting: dict[Hashable, Candidate]
    before: Mapping[Hashable, Candidate] = field(init=False)

    def __post_init__(self) -> None:
        self.before = dict(self.waiting)

    def send(self, sent: Candidate) -> Sending:
        """Put it in the queue where the rules let it."""
        if sent.is_decided:
            return Sending.ALREADY_DECIDED
        holder = self.waiting.get(sent.place)
        if holder is not None and holder.id == sent.id:
            return Sending.ALREADY_WAITING
        if holder is not None and not sent.goes_before(holder):
            return Sending.OUTRANKED
        self.waiting[sent.place] = sent
        return Sending.WAITING

    def send_all(self, sent: Sequence[Candidate]) -> list[Sending]:
        """What became of each in the end: one that a later one displaced is outranked."""
        found = [self.send(one) for one in sent]
        return [
            Sending.OUTRANKED if result is Sending.WAITING and self.waiting[one.place].id != one.id else result
            for one, result in zip(sent, found, strict=True)
        ]

    @property
    def entering(self) -> list[Candidate]:
        return [one for place, one in self.waiting.items() if self.before.get(place) != one]

    @property
    def displaced(self) -> list[Candidate]:
        return [one for place, one in self.before.items() if self.waiting.get(place) != one]
