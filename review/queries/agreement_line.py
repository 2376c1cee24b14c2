"""How far decisions agree with grading, for the answers that a filter lets through (RV-D34)."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Case, Value, When

from accounts.actor import Actor
from core.limits import LIMITS
from core.lookups import not_empty
from datasets.models import Dataset
from review.logic.agreement import Agreement, agreement_of
from scoring.queries.scores import ScoreFilter, scores_of

DECIDED = not_empty("decided")
WITH_JUDGE = Case(When(pin_hash="", then=Value(False)), default=Value(True), output_field=BooleanField())


@dataclass(frozen=True)
class AgreementLine:
    """`judged` are answers that a judge took part in grading, `ruled` those that rules alone graded.

    `unscored` decisions are in neither: grading had said nothing to agree with. `is_cut` says that there may be older
    decisions, which are not counted.
    """

    judged: Agreement
    ruled: Agreement
    unscored: int
    is_cut: bool = False

    @property
    def all(self) -> Agreement:
        """Every decision about a verdict."""
        return self.judged + self.ruled

    @property
    def is_shown(self) -> bool:
        return bool(self.all.n or self.unscored)


def agreement_line(actor: Actor, dataset: Dataset, wanted: ScoreFilter) -> AgreementLine:
    """Over the newest decisions, in one statement besides what the filter itself has to ask.

    Outcomes and decisions are open to every reader of the dataset (RV-75).
    """
    found: Any = scores_of(actor, dataset, wanted).filter(DECIDED).order_by("-created_at", "-pk")
    newest = found.values_list("outcome", "decided", WITH_JUDGE)[: LIMITS.agreement_decisions]
    counts = Counter(newest)
    judged, ruled = (
        agreement_of((outcome, decided, n) for (outcome, decided, has_judge), n in counts.items() if has_judge is of)
        for of in (True, False)
    )
    n = counts.total()
    return AgreementLine(judged, ruled, n - judged.n - ruled.n, n == LIMITS.agreement_decisions)
