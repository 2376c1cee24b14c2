"""The cases of two test runs as one list, the worst first, with what its filters let through (EV-D42, EV-D44)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from datasets.logic.folding import tag_key
from evals.logic.classes import CaseChange, ChangeClass, Incomparable, counted_alike
from evals.logic.item_list import UNTAGGED
from evals.logic.outlines import ItemOutline, RunOutline
from evals.logic.results import Tally
from scoring.logic.findings import Outcome

OUTCOMES = (Outcome.PASS, Outcome.FAIL, Outcome.UNSCORED)


@dataclass(frozen=True)
class ComparedCase:
    """A case of at least one of two runs; None for the run that it is not in."""

    case_id: UUID
    change: CaseChange
    before: ItemOutline | None
    after: ItemOutline | None

    @property
    def case_id_text(self) -> str:
        return str(self.case_id)

    @property
    def newest(self) -> ItemOutline:
        """The case as it was asked last."""
        found = self.before if self.after is None else self.after
        if found is None:
            raise ValueError("a case of neither run")
        return found

    @property
    def tags(self) -> tuple[str, ...]:
        return self.newest.tags


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


def compared_cases(before: RunOutline, after: RunOutline, changes: Mapping[UUID, CaseChange]) -> list[ComparedCase]:
    """All cases of both runs, the worst first."""
    found = [ComparedCase(key, one, before.by_case.get(key), after.by_case.get(key)) for key, one in changes.items()]
    ranks = {id(one): one.rank for one, _number in counted_alike(changes.values())}
    return sorted(found, key=lambda one: (ranks[id(one.change)], one.newest.position, one.case_id.int))


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
    found: dict[str | None, list[tuple[CaseChange, int]]] = {}
    known = {id(change): change for change, _number in counted_alike(one.change for one in cases)}
    alike = Counter((one.tags, id(one.change)) for one in cases if one.change.is_compared)
    for (tags, change), number in alike.items():
        keys = {tag_key(tag): tag for tag in reversed(tags)}
        for key, tag in keys.items():
            spelled.setdefault(key, tag)
        for place in keys or [None]:
            found.setdefault(place, []).append((known[change], number))
    rows = [_row(None if key is None else spelled[key], members) for key, members in found.items()]
    return sorted(rows, key=lambda row: (-row.regressed, row.points or 0.0, row.tag is None, row.tag or ""))


def _row(tag: str | None, members: Sequence[tuple[CaseChange, int]]) -> ComparedTag:
    kinds: Counter[ChangeClass] = Counter()
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for change, number in members:
        kinds[change.change] += number
        before[change.before] += number
        after[change.after] += number
    return ComparedTag(
        tag,
        Tally(*(before[outcome] for outcome in OUTCOMES)),
        Tally(*(after[outcome] for outcome in OUTCOMES)),
        kinds[ChangeClass.REGRESSED],
        kinds[ChangeClass.IMPROVED],
        kinds[ChangeClass.FLAKY],
    )
