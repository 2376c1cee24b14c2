"""How test runs, their rates and their causes are written on pages."""

from django import template
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.hidden_characters import marked_part
from core.numbers import count, money, percent
from evals.logic.estimates import Cost, CostKind
from evals.logic.left_out import LeftOutCause
from evals.logic.results import Sum, Tally
from evals.models import EvalRun
from scoring.logic.findings import Evaluator
from scoring.queries.reason_words import EVALUATOR_LABELS, in_words

register = template.Library()

LEFT_OUT: dict[str, str | Promise] = {
    LeftOutCause.ANONYMISED: gettext_lazy("Anonymised after erasure"),
    LeftOutCause.NOTHING_TO_CHECK: gettext_lazy("Nothing to check"),
}


@register.simple_tag
def run_name(run: EvalRun) -> SafeString | str:
    """Its label, or else its number."""
    return marked_part(run.label) if run.label else _("Test run %(number)s") % {"number": count(run.number)}


@register.simple_tag
def full_rate(cases: Tally) -> SafeString | str:
    """As the specification writes it: "84% (71 to 92%), 42 of 50" (EV-D36); never 0% where nothing was graded."""
    if cases.interval is None:
        return _("No result")
    low, high = (percent(share) for share in cases.interval)
    words = _("(%(low)s to %(high)s), %(passed)s of %(graded)s") % {
        "low": low.removesuffix("%"), "high": high, "passed": count(cases.passed), "graded": count(cases.graded),
    }  # fmt: skip
    return format_html(
        '<span class="run-rate">{}</span> <span class="run-rate-of" title="{}">{}</span>',
        percent(cases.rate), _("95% interval, over cases"), words,
    )  # fmt: skip


@register.filter
def as_spent(cost: Sum) -> str:
    """An amount, with "at least" where the price of a part of it is not known."""
    return _("at least %(amount)s") % {"amount": money(cost.amount)} if cost.is_at_least else money(cost.amount)


@register.filter
def as_estimated(cost: Cost) -> str:
    """An estimated amount; "no cost", "less than $0.01" and "unknown" are words (EV-D10)."""
    return money(cost.amount) if cost.kind is CostKind.AMOUNT else in_words(cost.words)


@register.filter
def left_out_words(cause: str) -> str:
    """Why a case was not asked."""
    return str(LEFT_OUT.get(cause, cause))


@register.filter
def evaluator_label(name: str) -> str:
    """An evaluator by its key in the settings."""
    return str(EVALUATOR_LABELS[Evaluator(name)])
