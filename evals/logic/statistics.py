"""Whether a rate, or a difference between two test runs, says anything (EV-D36, EV-D45)."""

from core.problems import gettext_noop
from core.statistics import wilson

__all__ = ["FEW_CASES", "SIGNIFICANT", "is_likely_real", "mcnemar", "verdict_on", "wilson"]

FEW_CASES = 30  # below it the page says that small differences mean little (EV-D36)
SIGNIFICANT = 0.05
FOR_THE_WORSE = gettext_noop("Likely a real change, for the worse")
FOR_THE_BETTER = gettext_noop("Likely a real change, for the better")
COULD_BE_CHANCE = gettext_noop("Could be chance")
NO_CHANGE = gettext_noop("No change")
NOTHING_COMPARED = gettext_noop("Nothing was compared")


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


def verdict_on(b: int, c: int, compared: int) -> str:
    """The words of EV-D45, to be translated; always shown with b, c and p. `compared` is how many cases were.

    Where none was, or none changed, there is no difference of which one could ask whether it is chance.
    """
    if not compared:
        return NOTHING_COMPARED
    if not b + c:
        return NO_CHANGE
    if not is_likely_real(b, c):
        return COULD_BE_CHANCE
    return FOR_THE_WORSE if b > c else FOR_THE_BETTER
