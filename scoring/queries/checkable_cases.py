"""What the cases of a dataset's newest version give the evaluators to read (SC-24 to SC-27, SC-D7).

Counted by the database in one pass over the open revisions, without reading a text. What a single case gives is asked
of `logic/outcome.py`; the two are compared in the tests.
"""

from dataclasses import dataclass

from django.db.models import Count, ExpressionWrapper, F, Q, TextField

from datasets.models import CaseRevision, Dataset
from datasets.models.case_revision import CaseRevisionQuerySet
from scoring.logic.findings import Evaluator
from scoring.logic.settings import Settings

HAS_CHECKS = ~Q(checks=[])
# A check has its type first, and quotes inside a text of JSON are escaped: only a criterion for the judge reads so.
HAS_JUDGE_CHECKS = Q(checks_text__contains='{"type":"judge","criterion":"')
HAS_CALLS = ~Q(expected_tool_calls=[])
HAS_REFERENCE = Q(reference_answer__isnull=False)
HAS_COUNTER_EXAMPLE = Q(counter_example__isnull=False)
NEVER, ALWAYS = Q(pk__in=[]), ~Q(pk__in=[])


@dataclass(frozen=True)
class CheckableCases:
    """How many cases there are, how many hold what each evaluator reads, and how many would be graded with nothing."""

    cases: int
    checks: int
    judge_checks: int
    tool_calls: int
    reference_answers: int
    counter_examples: int
    unchecked: int


def checkable_cases(dataset: Dataset, settings: Settings) -> CheckableCases:
    """The numbers for these settings, saved or not (SC-25)."""
    counted = _newest(dataset).aggregate(
        # First, because a later one would take `checks` for the number of that name and not for the column.
        unchecked=Count("pk", filter=~checkable(settings)),
        cases=Count("pk"),
        checks=Count("pk", filter=HAS_CHECKS),
        judge_checks=Count("pk", filter=HAS_JUDGE_CHECKS),
        tool_calls=Count("pk", filter=HAS_CALLS),
        reference_answers=Count("pk", filter=HAS_REFERENCE),
        counter_examples=Count("pk", filter=HAS_COUNTER_EXAMPLE),
    )
    return CheckableCases(**counted)


def unchecked_cases(dataset: Dataset, settings: Settings) -> CaseRevisionQuerySet:
    """The cases that none of the evaluators that are on finds anything to check in, in their order."""
    return _newest(dataset).exclude(checkable(settings)).in_order()


def checkable(settings: Settings) -> Q:
    """The condition under which one of the evaluators that are on has something to check in a case (SC-53).

    A `judge` check counts while the judge is off, too: it is recorded as skipped then, and says why (SC-D11).
    """
    found = NEVER
    if Evaluator.CHECKS in settings.on:
        found = ALWAYS if settings.default_checks else found | HAS_CHECKS
    if Evaluator.TOOL_CALLS in settings.on:
        found |= HAS_CALLS
    if Evaluator.JUDGE in settings.on:
        found |= ALWAYS if settings.criteria else HAS_COUNTER_EXAMPLE
    if Evaluator.REFERENCE_ANSWER in settings.on:
        found |= HAS_REFERENCE | HAS_COUNTER_EXAMPLE
    return found


def _newest(dataset: Dataset) -> CaseRevisionQuerySet:
    text = ExpressionWrapper(F("checks"), output_field=TextField())
    return CaseRevision.objects.newest(dataset).alias(checks_text=text)
