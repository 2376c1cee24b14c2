"""What grading found, in the words of the person who reads it: our own reasons, headings and the names of things."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scoring.logic.findings import Evaluator, Finding, Origin, Reason, State, Verdict
from scoring.logic.pins import COMPARED

EVALUATOR_LABELS: Mapping[Evaluator, str | Promise] = {
    Evaluator.CHECKS: gettext_lazy("Checks"),
    Evaluator.TOOL_CALLS: gettext_lazy("Expected tool calls"),
    Evaluator.JUDGE: gettext_lazy("Your criteria"),
    Evaluator.REFERENCE_ANSWER: gettext_lazy("Reference answer"),
}
STATE_LABELS: Mapping[State, str | Promise] = {
    State.PASS: pgettext_lazy("an evaluator", "Passed"),
    State.FAIL: pgettext_lazy("an evaluator", "Failed"),
    State.NO_VERDICT: pgettext_lazy("an evaluator", "No verdict"),
    State.NOT_APPLICABLE: pgettext_lazy("an evaluator", "Not applicable"),
}
VERDICT_LABELS: Mapping[Verdict, str | Promise] = {
    Verdict.PASS: pgettext_lazy("a check", "Passed"),
    Verdict.FAIL: pgettext_lazy("a check", "Failed"),
    Verdict.ERROR: pgettext_lazy("a check", "Error"),
    Verdict.SKIPPED: pgettext_lazy("a check", "Skipped"),
}
# The headings that are ours; every other one is a name that somebody gave, or the words of a criterion.
OURS = (Origin.REFERENCE_ANSWER, Origin.COUNTER_EXAMPLE, Origin.CALLS)


def in_words(reason: Reason | None) -> str:
    """The reason in the language of the person; empty without one."""
    return _(reason.text) % dict(reason.values) if reason else ""


def heading_of(finding: Finding) -> str:
    """What the finding is about, as its heading."""
    if finding.origin is Origin.CALLS:
        return str(EVALUATOR_LABELS[Evaluator.TOOL_CALLS])
    return _(finding.name) if finding.origin in OURS and finding.name else finding.name


def fields_in_words(names: tuple[str, ...]) -> list[str]:
    """The compared fields of pins by what people call them (SC-D5)."""
    return [_(COMPARED[name]) for name in names]
