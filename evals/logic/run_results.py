"""RunResults: the cases of one test run with all their attempts, and what became of them since another run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from evals.logic.classes import CaseChange, CaseSide, classify
from evals.logic.results import AttemptResult, Tally, case_result, tally
from evals.logic.run_sums import RunSums, run_sums
from scoring.logic.findings import Outcome


@dataclass(frozen=True)
class StoredAttempt(AttemptResult):
    """An attempt with the ids of what belongs to it; None where that is gone, or was never there."""

    id: UUID | None = None
    score_id: UUID | None = None
    agent_run_id: UUID | None = None


@dataclass(frozen=True)
class ItemResult:
    """One case of the run, with its attempts in their order."""

    id: UUID
    case_id: UUID
    revision_id: int
    position: int
    tags: tuple[str, ...]
    attempts: tuple[StoredAttempt, ...] = ()

    @cached_property
    def first(self) -> tuple[StoredAttempt, ...]:
        """Those that count for the result (EV-D33)."""
        return tuple(one for one in self.attempts if not one.is_confirming)

    @cached_property
    def confirming(self) -> tuple[StoredAttempt, ...]:
        return tuple(one for one in self.attempts if one.is_confirming)

    @cached_property
    def result(self) -> str:
        return case_result([one.final_outcome for one in self.first])

    @cached_property
    def automatic_result(self) -> str:
        """What grading alone made of it (RV-D33)."""
        return case_result([one.automatic_outcome for one in self.first])

    @property
    def first_outcomes(self) -> tuple[str, ...]:
        return tuple(one.final_outcome for one in self.first)

    @property
    def confirming_outcomes(self) -> tuple[str, ...]:
        """Empty for one that is at work, or was cancelled: it confirms nothing then."""
        return tuple("" if one.state == "cancelled" else one.final_outcome for one in self.confirming)

    @property
    def is_answered(self) -> bool:
        """Whether one of the attempts that count has an answer that was graded."""
        return any(one.state == "done" for one in self.first)

    @property
    def is_decided(self) -> bool:
        """Whether a person ruled on one of the attempts that count."""
        return any(one.decided for one in self.first)

    @property
    def has_ended(self) -> bool:
        return all(one.has_ended for one in self.first)

    @property
    def side(self) -> CaseSide:
        """The case as it is compared. Attempts with a verdict name their judge; several judges are one mixture."""
        hashes = {one.pin_hash for one in self.first if one.final_outcome in (Outcome.PASS, Outcome.FAIL)}
        return CaseSide(self.revision_id, self.result, "+".join(sorted(hashes)))


@dataclass(frozen=True)
class RunResults:
    """All cases of a run, in the order of the dataset."""

    items: tuple[ItemResult, ...]

    @cached_property
    def by_case(self) -> Mapping[UUID, ItemResult]:
        return {item.case_id: item for item in self.items}

    @cached_property
    def attempts(self) -> tuple[StoredAttempt, ...]:
        return tuple(attempt for item in self.items for attempt in item.attempts)

    @cached_property
    def tally(self) -> Tally:
        """By final outcomes; the rate of EV-D35 is this one's."""
        return tally(item.result for item in self.items)

    @cached_property
    def automatic_tally(self) -> Tally:
        return tally(item.automatic_result for item in self.items)

    @property
    def decided(self) -> int:
        """How many cases a person decided (RV-D33)."""
        return sum(item.is_decided for item in self.items)

    @cached_property
    def sums(self) -> RunSums:
        return run_sums(self.attempts)


def changes_between(before: RunResults, after: RunResults) -> dict[UUID, CaseChange]:
    """What became of every case of two runs, by its id: the newer run's in their order, then the removed ones."""
    found = {item.case_id: _change(before.by_case.get(item.case_id), item) for item in after.items}
    removed = (item for item in before.items if item.case_id not in after.by_case)
    return found | {item.case_id: classify(item.side, None) for item in removed}


def _change(before: ItemResult | None, after: ItemResult) -> CaseChange:
    return classify(
        before.side if before else None,
        after.side,
        after.first_outcomes,
        after.confirming_outcomes,
    )
