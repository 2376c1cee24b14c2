"""AskedCriterion: one criterion that the judge is asked to grade for one answer, wherever it comes from (SC-D36)."""

from dataclasses import dataclass

from core.problems import gettext_noop
from datasets.logic.drafts import CaseDraft
from scoring.logic.findings import Evaluator, Origin
from scoring.logic.settings import COUNTER_EXAMPLE, REFERENCE_ANSWER, Settings

# Fixed texts of the task; a change of either is a new task version (SC-D2).
REFERENCE_ANSWER_TEXT = (
    "Does the answer say what `case.reference_answer` says, on every point the question needs? "
    "Other wording and further correct detail are no fault."
)
COUNTER_EXAMPLE_TEXT = "Does the answer avoid repeating the known bad answer in `case.counter_example`?"


@dataclass(frozen=True)
class AskedCriterion:
    """`belongs_to` is the evaluator whose result it counts for (SC-D11, SC-D13); `name` is empty for case criteria."""

    id: str
    criterion: str
    origin: Origin
    belongs_to: Evaluator
    name: str = ""
    required: bool = True


def asked_criteria(case: CaseDraft, settings: Settings) -> tuple[AskedCriterion, ...]:
    """Everything one judge run grades for this case, in the order of the request (SC-9).

    The rubric, the case's `judge` checks where Checks is on, the reference answer where it is graded and there is one,
    and the counter-example (SC-115, SC-117, SC-D13, SC-D14). Empty where the judge is off: `judge` checks are skipped
    then, which is the caller's to record (SC-D11).
    """
    if not settings.asks_judge:
        return ()
    judge_is_on = Evaluator.JUDGE in settings.on
    found: list[AskedCriterion] = []
    if judge_is_on:
        found += [
            AskedCriterion(one.id, one.criterion, Origin.CRITERION, Evaluator.JUDGE, one.name, one.required)
            for one in settings.criteria
        ]
    if Evaluator.CHECKS in settings.on:
        found += [
            AskedCriterion(f"check-{place}", check["criterion"], Origin.CASE_CRITERION, Evaluator.CHECKS)
            for place, check in enumerate(case.checks, start=1)
            if check["type"] == "judge"
        ]
    if Evaluator.REFERENCE_ANSWER in settings.on and case.reference_answer:
        name = gettext_noop("Reference answer")
        found.append(
            AskedCriterion(
                REFERENCE_ANSWER,
                REFERENCE_ANSWER_TEXT,
                Origin.REFERENCE_ANSWER,
                Evaluator.REFERENCE_ANSWER,
                name,
            )
        )
    if case.counter_example:
        belongs_to = Evaluator.JUDGE if judge_is_on else Evaluator.REFERENCE_ANSWER
        name = gettext_noop("Counter-example")
        found.append(AskedCriterion(COUNTER_EXAMPLE, COUNTER_EXAMPLE_TEXT, Origin.COUNTER_EXAMPLE, belongs_to, name))
    return tuple(found)
