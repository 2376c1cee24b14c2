"""The results of a test run by tag (EV-12, EV-D37)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from datasets.logic.folding import tag_key
from evals.logic.classes import ChangeClass
from evals.logic.results import Tally
from scoring.logic.findings import Outcome


class TaggedCase(NamedTuple):
    """A case of the run; `change` is None without a baseline."""

    tags: tuple[str, ...]
    result: str
    change: ChangeClass | None = None


@dataclass(frozen=True)
class TagRow:
    """`tag` is None for the cases without one. No test of a difference is made here: with many tags some differ by
    chance (EV-D45)."""

    tag: str | None
    cases: Tally
    regressed: int = 0
    improved: int = 0


def tag_rows(cases: Iterable[TaggedCase]) -> list[TagRow]:
    """A row a tag and one for the untagged, most regressed first, then the lowest rate; without a rate at the end.

    A case counts in each of its tags, and two spellings of one tag are one row under the spelling met first (DS-D24).
    """
    spelled: dict[str, str] = {}
    found: dict[str | None, list[tuple[TaggedCase, int]]] = {}
    for case, number in Counter(cases).items():
        keys = {tag_key(tag): tag for tag in reversed(case.tags)}
        for key, tag in keys.items():
            spelled.setdefault(key, tag)
        for place in keys or [None]:
            found.setdefault(place, []).append((case, number))
    rows = [_row(None if key is None else spelled[key], members) for key, members in found.items()]
    return sorted(rows, key=_place)


def _row(tag: str | None, members: Sequence[tuple[TaggedCase, int]]) -> TagRow:
    results: Counter[str] = Counter()
    changes: Counter[ChangeClass | None] = Counter()
    for case, number in members:
        results[case.result] += number
        changes[case.change] += number
    counted = Tally(*(results[outcome] for outcome in (Outcome.PASS, Outcome.FAIL, Outcome.UNSCORED)))
    return TagRow(tag, counted, changes[ChangeClass.REGRESSED], changes[ChangeClass.IMPROVED])


def _place(row: TagRow) -> tuple[int, bool, float, bool, str]:
    rate = row.cases.rate
    return -row.regressed, rate is None, rate or 0.0, row.tag is None, row.tag or ""
