"""The cases of a test run as a list: what its filters let through, the worst first, a page at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from datasets.logic.folding import tag_key
from evals.logic.classes import CaseChange, ChangeClass, ChangeCounts
from evals.logic.outlines import ItemOutline, RunOutline
from evals.logic.results import Tally
from evals.logic.run_results import ItemResult, StoredAttempt
from scoring.logic.findings import Outcome

UNTAGGED = ","  # which no tag is (DS-D24)
# Where cases stand that did not regress; all others come last.
OF_CLASSES = {ChangeClass.FLAKY: 2, ChangeClass.IMPROVED: 5}
OF_RESULTS = {Outcome.FAIL.value: 3, Outcome.UNSCORED.value: 4}
LAST = 6


@dataclass(frozen=True)
class ItemFilter:
    """Empty values ask for everything. `change` is a class, `tag` a tag of the revision that was asked."""

    result: str = ""
    change: str = ""
    tag: str = ""

    @property
    def is_empty(self) -> bool:
        return self == ItemFilter()

    def lets_through(self, one: "ListedItem") -> bool:
        if self.result and one.item.result != self.result:
            return False
        if self.change and (one.change is None or one.change.change != self.change):
            return False
        if self.tag == UNTAGGED:
            return not one.item.tags
        return not self.tag or tag_key(self.tag) in map(tag_key, one.item.tags)


@dataclass(frozen=True)
class ListedItem:
    """A case with what became of it since the baseline; None without one."""

    item: ItemOutline
    change: CaseChange | None = None

    @property
    def place(self) -> tuple[int, int, str]:
        """Where it stands: confirmed regressions first, then the others, flaky, failed and unscored ones."""
        return self._rank, self.item.position, self.item.id.hex

    @property
    def _rank(self) -> int:
        if self.change is not None:
            if self.change.change is ChangeClass.REGRESSED:
                return 0 if self.change.is_confirmed else 1
            if self.change.change in OF_CLASSES:
                return OF_CLASSES[self.change.change]
        return OF_RESULTS.get(self.item.result, LAST)


@dataclass(frozen=True)
class ItemPage:
    """Some cases in order; `after` and `before` are cursors to the pages around them, empty where there is none.

    `total` is how many the filter lets through, `first` the number of the first one shown, from 1.
    """

    rows: Sequence[ListedItem]
    total: int
    first: int = 1
    before: str = ""
    after: str = ""

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def listed(results: RunOutline, changes: Mapping[UUID, CaseChange] | None) -> list[ListedItem]:
    """All cases of the run, the worst first."""
    known = changes or {}
    return sorted((ListedItem(item, known.get(item.case_id)) for item in results.items), key=lambda one: one.place)


def worst_filter(cases: Tally, counts: ChangeCounts | None) -> ItemFilter:
    """What the list opens with: what went worse, else what failed, else everything."""
    if counts and counts.regressed:
        return ItemFilter(change=ChangeClass.REGRESSED)
    return ItemFilter(result=Outcome.FAIL) if cases.failed else ItemFilter()


def item_page(
    rows: Iterable[ListedItem], wanted: ItemFilter, *, after: str = "", before: str = "", size: int
) -> ItemPage:
    """The page behind the cursor `after` or in front of `before`; the first one without, or where it is no cursor.

    A cursor is a place and not a number of rows, so that nothing is missed or shown twice while results change.
    """
    found = [one for one in rows if wanted.lets_through(one)]
    start = 0
    if place := _place(after):
        start = sum(one.place <= place for one in found)
    elif place := _place(before):
        start = max(0, sum(one.place < place for one in found) - size)
    shown = found[start : start + size]
    return ItemPage(
        shown,
        len(found),
        start + 1,
        before=_cursor(shown[0]) if shown and start else "",
        after=_cursor(shown[-1]) if shown and start + size < len(found) else "",
    )


def _cursor(one: ListedItem) -> str:
    rank, position, key = one.place
    return f"{rank}.{position}.{key}"


def _place(cursor: str) -> tuple[int, int, str] | None:
    rank, dot, rest = cursor.partition(".")
    position, other, key = rest.partition(".")
    if not (dot and other and rank.isdecimal() and position.isdecimal()):
        return None
    try:
        return int(rank), int(position), key
    except ValueError:
        return None


def telling_attempt(item: ItemResult) -> StoredAttempt | None:
    """The attempt that a case is read by: the last one that came to the case's result; None where none was laid down.

    Of a case with a result it is never a confirming one: the result is not theirs (EV-D33).
    """
    found = [one for one in item.first if one.final_outcome == item.result] or item.attempts
    return found[-1] if found else None
