"""What became of each case since an earlier test run: classes, what is confirmed, what is compared at all.

A change is first seen between the results of the first attempts. It is confirmed by further attempts of the newer run;
the older one is not run again (EV-D46).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from scoring.logic.findings import Outcome

Key = TypeVar("Key")


class ChangeClass(StrEnum):
    """EV-D42."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    UNCHANGED = "unchanged"
    FLAKY = "flaky"
    NOT_COMPARABLE = "not_comparable"


class Incomparable(StrEnum):
    """Why a case is in no count of changes (EV-D41, EV-D42)."""

    CHANGED = "changed"
    NEW = "new"
    REMOVED = "removed"
    UNSCORED = "unscored"


CHANGES = (ChangeClass.IMPROVED, ChangeClass.REGRESSED)
WORST_FIRST = (
    ChangeClass.REGRESSED,
    ChangeClass.FLAKY,
    ChangeClass.IMPROVED,
    ChangeClass.NOT_COMPARABLE,
    ChangeClass.UNCHANGED,
)


@dataclass(frozen=True)
class CaseSide:
    """A case in one of two runs: the revision that was asked, its result, and the hash of the judge's pin.

    `pin_hash` is empty where the judge takes no part in the case, so that such cases are compared whatever the judges
    of the two runs are (EV-D43).
    """

    revision: object
    result: str
    pin_hash: str = ""


@dataclass(frozen=True)
class CaseChange:
    """`first` is the class before confirming, over which the test of EV-D45 goes; `change` is the class now.

    `passed` of `judged` are the attempts that passed among those with a verdict, once the case was confirmed or found
    flaky. `is_graded_differently` says that its two answers were graded by different judges, so that nothing of it is
    ever confirmed (EV-D43). `before` and `after` are the results, empty where the case is not in that run.
    """

    change: ChangeClass
    first: ChangeClass
    is_confirmed: bool = False
    because: Incomparable | None = None
    is_graded_differently: bool = False
    passed: int = 0
    judged: int = 0
    before: str = ""
    after: str = ""

    @property
    def rank(self) -> tuple[int, bool]:
        """Where it stands in a list: confirmed regressions first, what did not change last."""
        return WORST_FIRST.index(self.change), not self.is_confirmed

    @property
    def is_compared(self) -> bool:
        return self.change is not ChangeClass.NOT_COMPARABLE

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it is a change that further attempts have not borne out."""
        return self.change in CHANGES and not self.is_confirmed


def classify(
    before: CaseSide | None, after: CaseSide | None, first: Sequence[str] = (), confirming: Sequence[str] = ()
) -> CaseChange:
    """The class of a case that is in at least one of two runs; `before` is the baseline's (EV-D41 to EV-D46).

    `first` and `confirming` are the final outcomes of the newer run's attempts, empty for one that has not ended or was
    cancelled. Without confirming attempts, or while one of them has not ended, a change is unconfirmed. With them it
    is confirmed when at least two of all attempts have a verdict and the majority of these bears it out; otherwise the
    case is flaky.
    """
    seen = _first_seen(before, after)
    if seen.change not in CHANGES or seen.is_graded_differently or not confirming or not all(confirming):
        return seen
    passed, failed = (sum(one == outcome for one in (*first, *confirming)) for outcome in (Outcome.PASS, Outcome.FAIL))
    bearing_out = failed if seen.change is ChangeClass.REGRESSED else passed
    counted = replace(seen, passed=passed, judged=passed + failed)
    if counted.judged >= 2 and 2 * bearing_out > counted.judged:
        return replace(counted, is_confirmed=True)
    return replace(counted, change=ChangeClass.FLAKY)


def _first_seen(before: CaseSide | None, after: CaseSide | None) -> CaseChange:
    """The class by the results of first attempts alone."""
    results = (before.result if before else "", after.result if after else "")
    because = _incomparable(before, after)
    if because or before is None or after is None:
        nothing = ChangeClass.NOT_COMPARABLE
        return CaseChange(nothing, nothing, because=because, before=results[0], after=results[1])
    if before.result == after.result:
        change = ChangeClass.UNCHANGED
    else:
        change = ChangeClass.IMPROVED if after.result == Outcome.PASS else ChangeClass.REGRESSED
    differs = before.pin_hash != after.pin_hash
    return CaseChange(change, change, is_graded_differently=differs, before=results[0], after=results[1])


def _incomparable(before: CaseSide | None, after: CaseSide | None) -> Incomparable | None:
    if before is None:
        return Incomparable.NEW
    if after is None:
        return Incomparable.REMOVED
    if before.revision != after.revision:
        return Incomparable.CHANGED
    return Incomparable.UNSCORED if Outcome.UNSCORED in (before.result, after.result) else None


def to_confirm(changes: Iterable[tuple[Key, CaseChange]], most: int) -> list[Key]:
    """The cases to answer again, regressions first, then in the order given, at most `most` (EV-D46, EV-D47).

    What different judges graded is left out: it could not be confirmed (EV-D43).
    """
    waiting = [(key, one) for key, one in changes if one.is_unconfirmed and not one.is_graded_differently]
    waiting.sort(key=lambda pair: pair[1].change is not ChangeClass.REGRESSED)
    return [key for key, _one in waiting[:most]]


@dataclass(frozen=True)
class ChangeCounts:
    """How many cases are in each class, and what the test of EV-D45 needs: `b` from pass to fail, `c` back.

    `regressed` and `improved` are split by whether they are confirmed. `unscored_before` and `unscored_after` are the
    cases that have no verdict in one of the two runs alone: where these differ, so may the rates (BC-28).
    """

    improved: int = 0
    improved_confirmed: int = 0
    regressed: int = 0
    regressed_confirmed: int = 0
    unchanged: int = 0
    flaky: int = 0
    changed: int = 0
    new: int = 0
    removed: int = 0
    unscored: int = 0
    graded_differently: int = 0
    unscored_before: int = 0
    unscored_after: int = 0
    b: int = 0
    c: int = 0

    @property
    def not_comparable(self) -> int:
        return self.changed + self.new + self.removed + self.unscored

    @property
    def compared(self) -> int:
        return self.improved + self.regressed + self.unchanged + self.flaky

    @property
    def regressed_unconfirmed(self) -> int:
        return self.regressed - self.regressed_confirmed

    @property
    def improved_unconfirmed(self) -> int:
        return self.improved - self.improved_confirmed


def counted_alike(things: Iterable[Key]) -> list[tuple[Key, int]]:
    """Each object among these with how often it is there; told apart by what it is and not by what it holds, since
    thousands of them are shared."""
    given = list(things)
    known = {id(one): one for one in given}
    return [(known[key], number) for key, number in Counter(map(id, given)).items()]


def count_changes(changes: Iterable[CaseChange]) -> ChangeCounts:
    """All cases of two runs, counted. Cases to which the same happened share one change, which is looked at once."""
    counts = dict.fromkeys(ChangeCounts.__dataclass_fields__, 0)
    for one, number in counted_alike(changes):
        counts[one.because.value if one.because else one.change.value] += number
        if one.is_confirmed:
            counts[f"{one.change}_confirmed"] = counts.get(f"{one.change}_confirmed", 0) + number
        counts["graded_differently"] += number * one.is_graded_differently
        counts["b"] += number * (one.first is ChangeClass.REGRESSED)
        counts["c"] += number * (one.first is ChangeClass.IMPROVED)
        if one.because is Incomparable.UNSCORED and one.before != one.after:
            counts["unscored_before" if one.before == Outcome.UNSCORED else "unscored_after"] += number
    return ChangeCounts(**{name: counts[name] for name in ChangeCounts.__dataclass_fields__})
