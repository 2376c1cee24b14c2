"""How what grading found is written on pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.highlights import Passage, highlighted
from core.html import render_markdown
from core.numbers import decimals, percent
from datasets.forms.check_fields import TYPES
from scoring.logic.findings import Evaluator, Origin, Reason, State, Verdict
from scoring.models import ScoreOutcome
from scoring.queries import reason_words
from scoring.queries.readable_scores import ReadableFinding, ReadableResult, ReadableScore

register = template.Library()

RULES = (Origin.CASE_CHECK, Origin.DEFAULT_CHECK)
# The meaning, with its colour and sign, of every end that something graded may have.
MEANINGS: dict[str, str] = {
    ScoreOutcome.PASS: "pass",
    ScoreOutcome.FAIL: "fail",
    ScoreOutcome.UNSCORED: "unscored",
    State.PASS: "pass",
    State.FAIL: "fail",
    State.NO_VERDICT: "unscored",
    State.NOT_APPLICABLE: "neutral",
    Verdict.PASS: "pass",
    Verdict.FAIL: "fail",
    Verdict.ERROR: "unscored",
    Verdict.SKIPPED: "unscored",
}


@register.filter
def in_words(reason: Reason | None) -> str:
    """Our own words in the language of the reader; empty for none."""
    return reason_words.in_words(reason)


@register.filter
def meaning(end: str) -> str:
    """Of an outcome, a state or a verdict: pass, fail, unscored or neutral."""
    return MEANINGS.get(end, "neutral")


@register.filter
def finding_heading(found: ReadableFinding) -> str:
    """What stands above a finding; a rule is named as the form of a case names it."""
    if found.finding.origin in RULES:
        return str(TYPES.get(found.heading, found.heading))
    return found.heading


@register.filter
def is_criterion(found: ReadableFinding) -> bool:
    """Whether a judge graded it, so that it has words of its own to show."""
    return found.finding.origin not in (*RULES, Origin.CALLS)


@register.filter
def own_words(found: ReadableFinding) -> bool:
    """Whether somebody of the dataset wrote the criterion; the texts of the fixed ones are meant for the judge."""
    return found.finding.origin in (Origin.CRITERION, Origin.CASE_CRITERION)


@register.filter
def number_text(result: ReadableResult) -> str:
    """The evaluator's number from 0 to 1 as it reads best: a share of checks and calls, the mean of grades."""
    number = result.result.number
    if result.result.evaluator in (Evaluator.CHECKS, Evaluator.TOOL_CALLS):
        return percent(number)
    return decimals(number, 2)


@register.filter
def answer_html(shown: ReadableScore) -> SafeString:
    """The answer as Markdown, with the passages that a judge quotes from it marked (RV-D11); failed ones win."""
    found = [finding for result in reversed(shown.failed_first) for finding in reversed(result.failed_first)]
    passages = [
        Passage(quote.text, meaning(one.finding.verdict), finding_heading(one))
        for one in found
        for quote in one.verified_quotes
    ]
    answer = highlighted(render_markdown(shown.answer), passages)
    return format_html('<div class="markdown" data-code-copy>{}</div>', answer)
