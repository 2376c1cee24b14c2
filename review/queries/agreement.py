"""How far decisions agree with the judges of a dataset, each configuration for itself (RV-D34).

Counts are open to every reader of the dataset, as outcomes and decisions are; what was found about one answer is not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, QuerySet
from django.urls import reverse

from core.limits import LIMITS
from review.logic.calibration import calibration
from review.logic.judge_agreement import DecidedAnswer, outcome_agreement
from review.logic.judged import judged_answer
from review.queries.agreement_line import DECIDED
from scoring.logic.pins import Pin
from scoring.models import Score
from scoring.places import Calibration

# Of a pin's hash, so much stands in an address: enough to tell those of one dataset apart.
SHORT = 12
READ = ("id", "outcome", "decided", "results", "created_at", "agent_id", "has_agent")


@dataclass(frozen=True)
class JudgeConfiguration:
    """A judge in one way of grading, with how many of its answers people decided on, and when it last graded one."""

    pin_hash: str
    pin: Pin
    decisions: int
    newest_at: datetime | None = None

    @property
    def short(self) -> str:
        """How addresses name it."""
        return self.pin_hash[:SHORT]


def configurations_of(dataset_id: UUID) -> list[JudgeConfiguration]:
    """Those that graded the newest decided answers, the last used one first; one statement.

    Pins of one hash differ in what makes no difference to grades, so any of them stands for all.
    """
    judged = Score.objects.filter(pk__in=_newest(dataset_id)).exclude(pin_hash="").order_by()
    counted: Any = judged.values("pin_hash").annotate(n=Count("pk"), newest=Max("created_at"), one=Max("pin"))
    found = []
    for row in counted.order_by("-newest", "pin_hash"):
        pin = Pin.of_json(row["one"])
        if pin is not None:
            found.append(JudgeConfiguration(row["pin_hash"], pin, row["n"], row["newest"]))
    return found


def decided_answers(dataset_id: UUID, pin_hash: str) -> list[DecidedAnswer]:
    """The newest decided answers that this configuration graded, the newest first; one statement.

    As many as tell enough of a judge, since what was found is read of each and a page waits for it.
    """
    return list(_read(Score.objects.filter(pk__in=_newest(dataset_id), pin_hash=pin_hash)))


def calibration_of_judge(dataset_id: UUID, pin_hash: str) -> Calibration:
    """Whether what this configuration says counts as calibrated, for whoever sees the dataset; one statement."""
    outcome = outcome_agreement(decided_answers(dataset_id, pin_hash))
    is_calibrated, why = calibration(outcome)
    is_shown = not outcome.has_too_few
    return Calibration(
        is_calibrated=is_calibrated,
        decisions=outcome.n,
        agreeing=outcome.agreeing,
        kappa=outcome.kappa if is_shown else None,
        interval=outcome.kappa_interval if is_shown else None,
        why=why,
        href=agreement_address(dataset_id, pin_hash),
    )


def agreement_address(dataset_id: UUID, pin_hash: str = "") -> str:
    """The page, opened on one configuration."""
    there = reverse("agreement", args=[dataset_id])
    return f"{there}?judge={pin_hash[:SHORT]}" if pin_hash else there


def _newest(dataset_id: UUID) -> QuerySet[Score, UUID]:
    decided = Score.objects.filter(DECIDED, dataset=dataset_id).order_by("-created_at", "-pk")
    return decided.values_list("pk", flat=True)[: LIMITS.agreement_decisions]


def _read(scores: QuerySet[Score]) -> Iterator[DecidedAnswer]:
    rows: Any = scores.order_by("-created_at", "-pk").values_list(*READ)
    for key, outcome, decided, results, at, agent_id, has_agent in rows[: LIMITS.agreement_answers].iterator(
        chunk_size=500
    ):
        yield DecidedAnswer(key, outcome, decided, judged_answer(results), at, agent_id, has_agent)
