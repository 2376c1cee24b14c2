"""How far decisions agree with grading, for the answers that a filter lets through (RV-D34)."""

from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Case, Count, F, Func, Value, When

from accounts.actor import Actor
from datasets.models import Dataset
from review.logic.agreement import Agreement, agreement_of
from scoring.queries.scores import ScoreFilter, scores_of

# The condition of a small index, to the letter: SQLite takes an index of some rows only where it reads it.
DECIDED = Func(F("decided"), template="NOT (%(expressions)s = '')", output_field=BooleanField())
WITH_JUDGE = Case(When(pin_hash="", then=Value(False)), default=Value(True), output_field=BooleanField())


@dataclass(frozen=True)
class AgreementLine:
    """`judged` are answers that a judge took part in grading, `ruled` those that rules alone graded.

    `unscored` decisions are in neither: grading had said nothing to agree with.
    """

    judged: Agreement
    ruled: Agreement
    unscored: int

    @property
    def all(self) -> Agreement:
        """Every decision about a verdict."""
        return self.judged + self.ruled

    @property
    def is_shown(self) -> bool:
        return bool(self.all.n or self.unscored)


def agreement_line(actor: Actor, dataset: Dataset, wanted: ScoreFilter) -> AgreementLine:
    """Counted by the database in one statement, besides what the filter itself has to ask.

    Outcomes and decisions are open to every reader of the dataset (RV-75).
    """
    found: Any = scores_of(actor, dataset, wanted).filter(DECIDED).order_by()
    counted = found.values_list("outcome", "decided", WITH_JUDGE).annotate(count=Count("pk"))
    rows = [(outcome, decided, judged, count) for outcome, decided, judged, count in counted]
    judged, ruled = (
        agreement_of((outcome, decided, count) for outcome, decided, has_judge, count in rows if has_judge is wanted)
        for wanted in (True, False)
    )
    return AgreementLine(judged, ruled, sum(row[3] for row in rows) - judged.n - ruled.n)
