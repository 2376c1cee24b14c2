"""The gate: whether a test run is good enough for a pipeline to go on, and the exit code that says so (EV-D61, EV-D62).

The server decides, so that the page and the pipeline agree.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

from core.problems import Problem, gettext_noop
from core.texts import unknown_keys
from evals.logic.results import Tally
from scoring.logic.findings import Reason

COMPLETED = "completed"
NOT_COMPLETED = {
    "failed": Reason(gettext_noop("The run did not complete: it failed")),
    "cancelled": Reason(gettext_noop("The run did not complete: it was cancelled")),
    "stopped": Reason(gettext_noop("The run did not complete: it was stopped")),
}
STILL_AT_WORK = Reason(gettext_noop("The run has not ended yet"))
NONE_GRADED = Reason(gettext_noop("No case was graded"))
RATE_TOO_LOW = gettext_noop("Pass rate below %(limit)s: %(passed)d of %(graded)d cases passed")
TOO_MANY_REGRESSIONS = gettext_noop("Confirmed regressions: %(count)d, allowed: %(limit)d")
TOO_MANY_UNCONFIRMED = gettext_noop("Regressions, not confirmed: %(count)d, allowed: %(limit)d")
TOO_MANY_UNSCORED = gettext_noop("Unscored cases: %(count)d, allowed: %(limit)d")
NOTHING_COMPARED = Reason(
    gettext_noop("Nothing was compared: no case has the same content and a verdict in this run and its baseline")
)
NO_BASELINE = Reason(gettext_noop("Nothing was compared: the run has no baseline"))

RATE = re.compile(r"(?:0(?:\.[0-9]{1,20})?|1(?:\.0{1,20})?)")
COUNT = re.compile(r"[0-9]{1,9}")
NOT_A_RATE = gettext_noop("This is a share from 0 to 1, such as 0.9.")
NOT_A_COUNT = gettext_noop("This is a whole number from 0.")


class ExitCode(IntEnum):
    """Of the command line (EV-D62)."""

    PASSED = 0
    FAILED = 1
    REFUSED = 2
    NO_RESULT = 3
    TIME_OVER = 4
    INTERRUPTED = 130


@dataclass(frozen=True)
class GateFigures:
    """What the gate looks at: the run's state, its cases, and its regressions against the baseline, if it has one.

    `compared` is how many cases were compared with it. Where it is none, no limit of regressions can be broken.
    """

    state: str
    cases: Tally
    has_baseline: bool = False
    confirms: bool = True
    regressed_confirmed: int = 0
    regressed_unconfirmed: int = 0
    compared: int = 0

    @property
    def note(self) -> Reason | None:
        """What is to be known of a pass: that nothing was compared; None where something was."""
        if not self.has_baseline:
            return NO_BASELINE
        return None if self.compared else NOTHING_COMPARED

    @property
    def regressions(self) -> int:
        """Those that count: confirmed ones, or the unconfirmed ones too when confirming was off."""
        if not self.has_baseline:
            return 0
        return self.regressed_confirmed + (0 if self.confirms else self.regressed_unconfirmed)


@dataclass(frozen=True)
class GateLimits:
    """`min_pass_rate` is a decimal from 0 to 1, exactly as it was written; None for no minimum."""

    min_pass_rate: Decimal | None = None
    max_regressions: int = 0
    max_unscored: int = 0


def read_limits(sent: Mapping[str, str]) -> tuple[GateLimits | None, list[Problem]]:
    """The limits as an address or a command line carries them, or None with what is wrong.

    The rate is read as a decimal: as a double, 0.9 would be a hair above nine of ten.
    """
    names = ("min_pass_rate", "max_regressions", "max_unscored")
    problems = list(unknown_keys(dict(sent), names))
    if "min_pass_rate" in sent and not RATE.fullmatch(sent["min_pass_rate"]):
        problems.append(Problem("min_pass_rate", NOT_A_RATE))
    problems += [Problem(name, NOT_A_COUNT) for name in names[1:] if not COUNT.fullmatch(sent.get(name, "0"))]
    if problems:
        return None, problems
    rate = Decimal(sent["min_pass_rate"]) if "min_pass_rate" in sent else None
    return GateLimits(rate, int(sent.get("max_regressions", "0")), int(sent.get("max_unscored", "0"))), []


@dataclass(frozen=True)
class GateVerdict:
    """Why it did not pass, the weightiest reason first; `exit_code` is 0, 1 or 3."""

    passed: bool
    reasons: tuple[Reason, ...]
    exit_code: ExitCode


def gate(figures: GateFigures, limits: GateLimits) -> GateVerdict:
    """Whether the run keeps the limits; each one that it does not keep is named.

    The rate is compared as a fraction, so that a rate equal to the limit passes. A run that did not complete, or in
    which nothing was graded, never passes.
    """
    incomplete = [] if figures.state == COMPLETED else [NOT_COMPLETED.get(figures.state, STILL_AT_WORK)]
    ungraded = [] if figures.cases.graded else [NONE_GRADED]
    broken = [*_rate(figures.cases, limits), *_regressions(figures, limits)]
    unscored = _unscored(figures.cases, limits)
    reasons = (*incomplete, *ungraded, *broken, *unscored)
    if not reasons:
        return GateVerdict(True, (), ExitCode.PASSED)
    has_no_result = bool(incomplete) or (bool(unscored) and not broken)
    return GateVerdict(False, reasons, ExitCode.NO_RESULT if has_no_result else ExitCode.FAILED)


def _rate(cases: Tally, limits: GateLimits) -> list[Reason]:
    if limits.min_pass_rate is None or not cases.graded:
        return []
    if Fraction(cases.passed, cases.graded) >= Fraction(limits.min_pass_rate):
        return []
    values = {"limit": str(limits.min_pass_rate), "passed": cases.passed, "graded": cases.graded}
    return [Reason(RATE_TOO_LOW, values)]


def _regressions(figures: GateFigures, limits: GateLimits) -> list[Reason]:
    if figures.regressions <= limits.max_regressions:
        return []
    text = TOO_MANY_REGRESSIONS if figures.confirms else TOO_MANY_UNCONFIRMED
    return [Reason(text, {"count": figures.regressions, "limit": limits.max_regressions})]


def _unscored(cases: Tally, limits: GateLimits) -> list[Reason]:
    if cases.unscored <= limits.max_unscored:
        return []
    return [Reason(TOO_MANY_UNSCORED, {"count": cases.unscored, "limit": limits.max_unscored})]
