"""How a run of a trend is written in words."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.numbers import count, percent
from core.times import exact
from evals.logic.trend import Since
from evals.queries.run_links import name_of
from evals.views.run_list_context import TrendRow

register = template.Library()

SINCE: dict[str, str | Promise] = {
    Since.SAME: gettext_lazy("Graded alike, the same cases"),
    Since.OTHER_CASES: gettext_lazy("Graded alike, other cases"),
    Since.GRADED_DIFFERENTLY: gettext_lazy("Graded differently, not comparable"),
}


@register.filter
def since_words(since: Since | None) -> str:
    """How a run compares with the one before it; a dash for the first."""
    return str(SINCE[since]) if since else "–"


@register.filter
def trend_words(row: TrendRow) -> str:
    """A point of the plot: which run it is, and its rate as the list writes it."""
    run, interval = row.run, row.tally.interval
    if interval is None:
        return name_of(run)
    low, high = (percent(share) for share in interval)
    return _("%(run)s, %(date)s: %(rate)s (%(low)s to %(high)s), %(passed)s of %(graded)s") % {
        "run": name_of(run),
        "date": exact(run.created_at),
        "rate": percent(row.tally.rate),
        "low": low.removesuffix("%"),
        "high": high,
        "passed": count(row.tally.passed),
        "graded": count(row.tally.graded),
    }
