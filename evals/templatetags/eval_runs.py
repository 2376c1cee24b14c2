"""How test runs, their rates and their causes are written on pages."""

from decimal import ROUND_DOWN, Decimal

from django import template
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from core.hidden_characters import marked_part
from core.numbers import count, exact_money, money, percent
from evals.logic.estimates import Cost, CostKind
from evals.logic.left_out import LeftOutCause
from evals.logic.results import Sum, Tally
from evals.models import EvalRun
from evals.queries.run_links import choice_of, number_of
from scoring.logic.findings import Evaluator
from scoring.queries.reason_words import EVALUATOR_LABELS, in_words

register = template.Library()

CENT, SMALLEST = Decimal("0.01"), Decimal("0.0001")

LEFT_OUT: dict[str, str | Promise] = {
    LeftOutCause.ANONYMISED: gettext_lazy("Anonymised after erasure"),
    LeftOutCause.NOTHING_TO_CHECK: gettext_lazy("Nothing to check"),
}


@register.simple_tag
def run_name(run: EvalRun) -> SafeString | str:
    """Its number, and its label where it has one: runs of one label are told apart."""
    return format_html("{} · {}", number_of(run), marked_part(run.label)) if run.label else number_of(run)


@register.filter
def run_choice(run: EvalRun) -> str:
    """The run in a list to choose from."""
    return choice_of(run)


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
    """An amount in the words of an estimate: "no cost" for nothing, "at least" where the price of a part is not known,
    "unknown" where that of no part is."""
    if not cost.is_at_least:
        return money(cost.amount) if cost.amount else _("no cost")
    known = cost.amount if cost.amount >= CENT else cost.amount.quantize(SMALLEST, ROUND_DOWN)
    if not known:
        return pgettext("cost", "unknown")
    return _("at least %(amount)s") % {"amount": money(known) if known >= CENT else exact_money(known)}


@register.filter
def as_limit(amount: Decimal) -> str:
    """A cost limit as it was written: below a cent too, an answer may cost less than that."""
    return exact_money(amount)


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
