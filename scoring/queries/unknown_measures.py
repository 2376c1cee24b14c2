"""How many answers that somebody brings say nothing of what a check of latency or cost needs (SC-D30, BC-38)."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import ExpressionWrapper, F, TextField

from datasets.models import CaseRevision, Dataset
from scoring.logic.findings import Evaluator
from scoring.logic.settings import Settings
from scoring.logic.stored_matching import MatchedAnswers


@dataclass(frozen=True)
class UnknownMeasures:
    """So many answers whose latency or cost a check needs and nobody knows: these checks reach no verdict on them."""

    latency: int = 0
    cost: int = 0


def unknown_measures(dataset: Dataset, settings: Settings, answers: MatchedAnswers) -> UnknownMeasures:
    """Of the answers that would be graded; a query for each of the two that some answer lacks."""
    if Evaluator.CHECKS not in settings.on:
        return UnknownMeasures()
    slow = {case for case, answer in answers.kept if answer.seconds is None}
    costly = {case for case, answer in answers.kept if answer.cost is None}
    asked = (dataset, settings, answers.version)
    return UnknownMeasures(
        latency=len(_measured(*asked, "max_latency_ms", slow)), cost=len(_measured(*asked, "max_cost_usd", costly))
    )


def _measured(dataset: Dataset, settings: Settings, version: int, check: str, cases: set[UUID]) -> set[UUID]:
    """Those of the cases that this check would be held against."""
    if not cases or any(default["type"] == check for default in settings.default_checks):
        return cases
    text = ExpressionWrapper(F("checks"), output_field=TextField())
    rows = CaseRevision.objects.at(dataset, version).alias(checks_text=text)
    # A check has its type first, and quotes inside a text of JSON are escaped.
    found = rows.filter(checks_text__contains=f'{{"type":"{check}"')
    return cases & set(found.values_list("case_id", flat=True))
