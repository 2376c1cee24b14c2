"""How far people's decisions agree with what graded an answer: counts, Cohen's kappa, and how sure both are (RV-D34).

Only decided answers with a verdict count: where grading reached none there is nothing to agree with.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from core.statistics import Z_95, wilson

PASS, FAIL = "pass", "fail"
VERDICTS = (PASS, FAIL)
FEW = 10  # below it no number is shown but the counts (RV-D34)


class Kind(StrEnum):
    """What a decision makes of a verdict."""

    AGREES = "agrees"
    TOO_STRICT = "too_strict"  # failed, and a person passed it
    TOO_LENIENT = "too_lenient"  # passed, and a person failed it


def kind_of(verdict: str, decided: str) -> Kind | None:
    """None where either is no verdict: an unscored answer says nothing about agreement."""
    if verdict not in VERDICTS or decided not in VERDICTS:
        return None
    if verdict == decided:
        return Kind.AGREES
    return Kind.TOO_STRICT if verdict == FAIL else Kind.TOO_LENIENT


@dataclass(frozen=True)
class Agreement:
    """The four cells of verdict against decision."""

    both_pass: int = 0
    both_fail: int = 0
    too_strict: int = 0
    too_lenient: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.both_pass + other.both_pass,
            self.both_fail + other.both_fail,
            self.too_strict + other.too_strict,
            self.too_lenient + other.too_lenient,
        )

    @property
    def n(self) -> int:
        return self.agreeing + self.disagreeing

    @property
    def agreeing(self) -> int:
        return self.both_pass + self.both_fail

    @property
    def disagreeing(self) -> int:
        return self.too_strict + self.too_lenient

    @property
    def has_too_few(self) -> bool:
        """Whether "too few" stands instead of a number."""
        return self.n < FEW

    @property
    def share(self) -> float | None:
        """Of the decisions that agree; None of none."""
        return self.agreeing / self.n if self.n else None

    @property
    def share_interval(self) -> tuple[float, float] | None:
        """95%, Wilson."""
        return wilson(self.agreeing, self.n) if self.n else None

    @property
    def by_chance(self) -> float | None:
        """The share that would agree if both had said as often "pass" as they did, and by chance; None of none."""
        if not self.n:
            return None
        verdicts, decisions = self.both_pass + self.too_lenient, self.both_pass + self.too_strict
        n_squared = self.n * self.n
        return (verdicts * decisions + (self.n - verdicts) * (self.n - decisions)) / n_squared

    @property
    def kappa(self) -> float | None:
        """Cohen (1960): the agreement beyond chance, 1 where all agree, 0 where no more do than by chance.

        None where verdicts and decisions are all the same one: chance agrees just as well then.
        """
        share, chance = self.share, self.by_chance
        if share is None or chance is None or chance == 1:
            return None
        return (share - chance) / (1 - chance)

    @property
    def standard_error(self) -> float | None:
        """Of kappa in large samples: Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327."""
        kappa, chance = self.kappa, self.by_chance
        if kappa is None or chance is None:
            return None
        cells = (self.both_pass, self.too_lenient, self.too_strict, self.both_fail)
        passed, lenient, strict, failed = (cell / self.n for cell in cells)
        verdicts, decisions = passed + lenient, passed + strict
        on_diagonal = (
            passed * (1 - (verdicts + decisions) * (1 - kappa)) ** 2
            + failed * (1 - (2 - verdicts - decisions) * (1 - kappa)) ** 2
        )
        # The verdict's share of the decision's category and the other way round, crosswise as in the paper.
        beside = lenient * (decisions + 1 - verdicts) ** 2 + strict * (1 - decisions + verdicts) ** 2
        variance = on_diagonal + (1 - kappa) ** 2 * beside - (kappa - chance * (1 - kappa)) ** 2
        return sqrt(max(0.0, variance) / self.n) / (1 - chance)

    @property
    def kappa_interval(self) -> tuple[float, float] | None:
        """95%: the large-sample interval, at either end as wide at least as Wilson's interval of the share allows.

        The large-sample one alone is nothing wide where all agree, and for ten answers of a judge that errs in one of
        twenty it misses the true kappa three times of five. Carried over from the share, with the agreement by chance
        as it was found, the interval held it 91 to 98 times of a hundred from 10 to 200 answers.
        """
        kappa, error, chance, shares = self.kappa, self.standard_error, self.by_chance, self.share_interval
        if kappa is None or error is None or chance is None or shares is None:
            return None
        low, high = ((share - chance) / (1 - chance) for share in shares)
        return max(-1.0, min(low, kappa - Z_95 * error)), min(1.0, max(high, kappa + Z_95 * error))


def agreement_of(pairs: Iterable[tuple[str, str, int]]) -> Agreement:
    """Of verdict, decision and how many answers have both; pairs without a verdict are left out."""
    cells = {(PASS, PASS): 0, (FAIL, FAIL): 0, (FAIL, PASS): 0, (PASS, FAIL): 0}
    for verdict, decided, count in pairs:
        if (verdict, decided) in cells:
            cells[verdict, decided] += count
    return Agreement(*cells.values())
