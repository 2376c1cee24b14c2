"""Why a criterion has no verdict: each cause with its stable name and its own words (SC-129, SC-130, SC-D40)."""

from collections.abc import Mapping
from enum import StrEnum

from core.problems import gettext_noop
from scoring.logic.findings import Reason, Verdict


class Cause(StrEnum):
    """Why the judge could not grade at all: the nine causes of SC-130 in their order, and that it is off (SC-D11).

    The first seven and OFF are the codes of a refusal to score again (SC-D55).
    """

    MISSING = "judge_missing"
    UNPUBLISHED = "judge_unpublished"
    ARCHIVED = "judge_archived"
    MODEL_MISSING = "judge_model_missing"
    KEY_MISSING = "judge_key_missing"
    FORBIDDEN = "judge_forbidden"
    BUDGET = "judge_budget"
    FAILED = "judge_failed"
    UNREADABLE = "judge_unreadable"
    OFF = "judge_off"

    @property
    def was_called(self) -> bool:
        return self in (Cause.FAILED, Cause.UNREADABLE)

    @property
    def verdict(self) -> Verdict:
        """An error where the judge was called, skipped where it was not (SC-D42)."""
        return Verdict.ERROR if self.was_called else Verdict.SKIPPED

    @property
    def reason(self) -> Reason:
        """Its words where nothing more exact is known."""
        return _REASONS[self]


class GradeFault(StrEnum):
    """What is wrong with the grade of one criterion in a reply that could be read (SC-D40)."""

    GRADED_TWICE = "graded_twice"
    NOT_GRADED = "not_graded"
    OUTSIDE_SCALE = "grade_outside_scale"
    QUOTES_WHAT_BOTH_SAY = "quotes_what_both_say"
    QUOTES_NOTHING = "quotes_nothing"
    REPEATS_CRITERION = "reason_repeats_criterion"

    @property
    def reason(self) -> Reason:
        return _REASONS[self]


_REASONS: Mapping[StrEnum, Reason] = {
    Cause.MISSING: Reason(gettext_noop("The judge that the dataset chose no longer exists")),
    Cause.UNPUBLISHED: Reason(gettext_noop("The judge has no published version")),
    Cause.ARCHIVED: Reason(gettext_noop("The judge is archived")),
    Cause.MODEL_MISSING: Reason(gettext_noop("The judge has no model: none is chosen, or it no longer exists")),
    Cause.KEY_MISSING: Reason(gettext_noop("The judge's model has no key")),
    Cause.FORBIDDEN: Reason(gettext_noop("The person who asked for the score may not run the judge")),
    Cause.BUDGET: Reason(gettext_noop("The judge's budget is used up")),
    Cause.FAILED: Reason(gettext_noop("The judge's run failed")),
    Cause.UNREADABLE: Reason(gettext_noop("The judge's reply could not be read")),
    Cause.OFF: Reason(gettext_noop("The judge is off")),
    GradeFault.GRADED_TWICE: Reason(gettext_noop("Graded more than once")),
    GradeFault.NOT_GRADED: Reason(gettext_noop("Not graded")),
    GradeFault.OUTSIDE_SCALE: Reason(gettext_noop("Grade outside the scale")),
    GradeFault.QUOTES_WHAT_BOTH_SAY: Reason(gettext_noop("Quotes only what both say")),
    GradeFault.QUOTES_NOTHING: Reason(gettext_noop("Quotes nothing of an answer that copies the counter-example")),
    GradeFault.REPEATS_CRITERION: Reason(gettext_noop("The reason repeats the criterion")),
}
CUT_OFF = Reason(gettext_noop("The judge's reply was cut off at the token limit of its model"))
TOO_LONG = Reason(gettext_noop("The judge's run failed: its model refuses the request as too long"))
REPEATS_COUNTER_EXAMPLE = Reason(gettext_noop("The answer is the counter-example, or a part of it"))
GRADED_WITHOUT_MODEL = gettext_noop("The settings it was graded with name no model: score the answer anew")
EMPTY_ANSWER = Reason(gettext_noop("The answer is empty"))
