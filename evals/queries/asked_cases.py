"""The cases of a version that a test run may ask, with their sizes as an estimate needs them; no text is read.

All is measured by the database in one pass, so that ten thousand cases cost little more than their ids.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, ExpressionWrapper, F, IntegerField, TextField, Value, When
from django.db.models.functions import Coalesce, Length, Replace

from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from evals.logic.estimates import CaseSize
from scoring.logic.answers import GradedAnswer
from scoring.logic.criteria import asked_criteria
from scoring.logic.findings import Evaluator
from scoring.logic.prompt import judge_messages
from scoring.logic.settings import Settings
from scoring.queries.checkable_cases import HAS_COUNTER_EXAMPLE, HAS_REFERENCE, checkable

# How a criterion for the judge begins in the JSON of a case's checks: quotes inside a text are escaped there.
JUDGE_CHECK = '{"type":"judge","criterion":"'
READ = (
    "case_id", "pk", "position", "tags", "tag_keys", "anonymised_at", "is_checkable", "characters",
    "judge_characters", "judge_checks", "has_reference", "has_counter_example",
)  # fmt: skip


@dataclass(frozen=True)
class AskedCase:
    """A case of the version with the revision that holds there, its tags as written and folded (`tag_keys`).

    `is_anonymised` and `has_something_to_check` say whether it can be asked at all.
    """

    case_id: UUID
    revision_id: int
    position: int
    tags: tuple[str, ...]
    tag_keys: frozenset[str]
    is_anonymised: bool
    has_something_to_check: bool
    size: CaseSize


def cases_to_ask(dataset: Dataset, version: int, settings: Settings, *, instructions: str = "") -> list[AskedCase]:
    """Every case of the version in the order of test runs (DS-D5), in one statement.

    `instructions` are what the judge is told besides its task. Sizes are those of the stored text, also where it is
    hidden from whoever asks (EV-22).
    """
    rows = CaseRevision.objects.at(dataset, version).in_order().annotate(**_measured(settings))
    shared = _prompt_of_all(settings, instructions)
    return [_asked(settings, shared, *row) for row in rows.values_list(*READ)]


def _asked(
    settings: Settings, shared: int, case_id: UUID, revision_id: int, position: int, tags: Any, keys: str,
    anonymised_at: Any, is_checkable: bool, characters: int, judged: int, checks: int, reference: bool, counter: bool,
) -> AskedCase:  # fmt: skip
    criteria = _criteria(settings, checks, has_reference=reference, has_counter_example=counter)
    return AskedCase(
        case_id=case_id,
        revision_id=revision_id,
        position=position,
        tags=tuple(tags),
        tag_keys=frozenset(key for key in keys.split(",") if key),
        is_anonymised=anonymised_at is not None,
        has_something_to_check=bool(is_checkable),
        size=CaseSize(characters, criteria, shared + judged if criteria else 0),
    )


def _criteria(settings: Settings, judge_checks: int, *, has_reference: bool, has_counter_example: bool) -> int:
    """How many there are of `asked_criteria`, without reading the case."""
    if not settings.asks_judge:
        return 0
    count = len(settings.criteria) if Evaluator.JUDGE in settings.on else 0
    count += judge_checks if Evaluator.CHECKS in settings.on else 0
    count += has_reference and Evaluator.REFERENCE_ANSWER in settings.on
    return count + bool(has_counter_example)


def _prompt_of_all(settings: Settings, instructions: str) -> int:
    """The characters that each prompt of the judge has, whatever the case."""
    nothing = CaseDraft(input="")
    rubric = asked_criteria(nothing, settings)
    messages = judge_messages(
        rubric, nothing, GradedAnswer(""), settings, instructions=instructions, schema_in_text=True
    )
    return sum(len(message["content"]) for message in messages)


def _measured(settings: Settings) -> dict[str, Any]:
    checks = ExpressionWrapper(F("checks"), output_field=TextField())
    without = Replace(checks, Value(JUDGE_CHECK), Value(""))
    judge_checks = (Length(checks) - Length(without)) / Value(len(JUDGE_CHECK))
    asked = Length("input") + Length("history")
    told = asked + _length("note") + _length("counter_example")
    if Evaluator.REFERENCE_ANSWER in settings.on:
        told = told + _length("reference_answer")
    criteria = Case(When(checks__contains=JUDGE_CHECK, then=Length(checks)), default=0, output_field=IntegerField())
    return {
        "is_checkable": _flag(checkable(settings)),
        "characters": asked,
        "judge_characters": told + criteria,
        "judge_checks": ExpressionWrapper(judge_checks, output_field=IntegerField()),
        "has_reference": _flag(HAS_REFERENCE),
        "has_counter_example": _flag(HAS_COUNTER_EXAMPLE),
    }


def _length(field: str) -> Any:
    return Coalesce(Length(field), 0)


def _flag(condition: Any) -> ExpressionWrapper:
    return ExpressionWrapper(condition, output_field=BooleanField())
