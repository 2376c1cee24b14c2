"""Whether a rate, or a difference between two test runs, says anything (EV-D36, EV-D45)."""

from core.problems import gettext_noop
from core.statistics import wilson

__all__ = ["FEW_CASES", "SIGNIFICANT", "is_likely_real", "mcnemar", "verdict_on", "wilson"]

FEW_CASES = 30  # below it the page says that small differences mean little (EV-D36)
SIGNIFICANT = 0.05
LIKELY_REAL = gettext_noop("Likely a real change")
COULD_BE_CHANCE = gettext_noop("Could be chance")


def mcnemar(b: int, c: int) -> float:
    """p of the exact two-sided McNemar test over `b` cases from pass to fail and `c` from fail to pass (EV-D45).

    Summed in whole numbers, so that nothing is rounded before the last step, however many cases changed.
    """
    changed = b + c
    if changed == 0:
        return 1.0
    term = total = 1
    for i in range(min(b, c)):
        term = term * (changed - i) // (i + 1)
        total += term
    return min(1.0, 2 * total / 2**changed)


def is_likely_real(b: int, c: int) -> bool:
    return mcnemar(b, c) < SIGNIFICANT


def verdict_on(b: int, c: int) -> str:
    """The words of EV-D45, to be translated; always shown with b, c and p."""
    return LIKELY_REAL if is_likely_real(b, c) else COULD_BE_CHANCE
