"""The cases of two test runs as one list, the worst first, with what its filters let through (EV-D42, EV-D44)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from datasets.logic.folding import tag_key
from evals.logic.classes import CaseChange, ChangeClass, Incomparable
from evals.logic.item_list import UNTAGGED
from evals.logic.results import Tally, tally
from evals.logic.run_results import ItemResult, RunResults

ORDER = (
    ChangeClass.REGRESSED,
    ChangeClass.FLAKY,
    ChangeClass.IMPROVED,
    ChangeClass.NOT_COMPARABLE,
    ChangeClass.UNCHANGED,
)


@dataclass(frozen=True)
class ComparedCase:
    """A case of at least one of two runs; None for the run that it is not in."""

    case_id: UUID
    change: CaseChange
    before: ItemResult | None
    after: ItemResult | None

    @property
    def case_id_text(self) -> str:
        return str(self.case_id)

    @property
    def newest(self) -> ItemResult:
        """The case as it was asked last."""
        return next(one for one in (self.after, self.before) if one is not None)

    @property
    def tags(self) -> tuple[str, ...]:
        return self.newest.tags

    @property
    def place(self) -> tuple[int, bool, int, str]:
        """Confirmed regressions first, then the others, flaky and improved ones; what did not change comes last."""
        return ORDER.index(self.change.change), not self.change.is_confirmed, self.newest.position, self.case_id.hex


@dataclass(frozen=True)
class ChangeFilter:
    """Empty values ask for everything. `change` is a class, or why a case is not comparable."""

    change: str = ""
    tag: str = ""

    def lets_through(self, one: ComparedCase) -> bool:
        if self.change and self.change not in (one.change.change, one.change.because):
            return False
        if self.tag == UNTAGGED:
            return not one.tags
        return not self.tag or tag_key(self.tag) in map(tag_key, one.tags)


CHANGE_FILTERS = (*ChangeClass, *Incomparable)


def compared_cases(before: RunResults, after: RunResults, changes: Mapping[UUID, CaseChange]) -> list[ComparedCase]:
    """All cases of both runs, the worst first."""
    found = (ComparedCase(key, one, before.by_case.get(key), after.by_case.get(key)) for key, one in changes.items())
    return sorted(found, key=lambda one: one.place)


@dataclass(frozen=True)
class ComparedTag:
    """One tag, or the untagged for None: the cases that are compared, in both runs, and how many of them changed."""

    tag: str | None
    before: Tally
    after: Tally
    regressed: int
    improved: int
    flaky: int

    @property
    def points(self) -> float | None:
        """By how much the rate differs; None where one of them has none."""
        if self.before.rate is None or self.after.rate is None:
            return None
        return self.after.rate - self.before.rate


def compared_tags(cases: Sequence[ComparedCase]) -> list[ComparedTag]:
    """A row a tag over the cases that are compared, the most regressed first, then by how far the rate fell.

    A case counts in each of its tags, and two spellings of one tag are one row under the spelling met first (DS-D24).
    """
    spelled: dict[str, str] = {}
    found: dict[str | None, list[ComparedCase]] = {}
    for case in cases:
        if not case.change.is_compared:
            continue
        keys = {tag_key(tag): tag for tag in reversed(case.tags)}
        for key, tag in keys.items():
            spelled.setdefault(key, tag)
        for place in keys or [None]:
            found.setdefault(place, []).append(case)
    rows = [_row(None if key is None else spelled[key], members) for key, members in found.items()]
    return sorted(rows, key=lambda row: (-row.regressed, row.points or 0.0, row.tag is None, row.tag or ""))


def _row(tag: str | None, members: Sequence[ComparedCase]) -> ComparedTag:
    changes = [one.change for one in members]
    counts = {kind: sum(one.change is kind for one in changes) for kind in ORDER}
    return ComparedTag(
        tag,
        tally(one.before for one in changes),
        tally(one.after for one in changes),
        counts[ChangeClass.REGRESSED],
        counts[ChangeClass.IMPROVED],
        counts[ChangeClass.FLAKY],
    )
