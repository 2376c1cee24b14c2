"""What a test run cost and took, beside what was estimated before it (EV-D11, EV-D38)."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from evals.logic.estimates import Cost, CostEstimate
from evals.logic.results import Sum
from evals.queries.run_figures import RunFigures

PARTS: tuple[tuple[str, str | Promise], ...] = (
    ("agent", pgettext_lazy("part of a cost", "Agent")),
    ("judge", pgettext_lazy("part of a cost", "Judge")),
    ("confirming", pgettext_lazy("part of a cost", "Confirming")),
    ("total", pgettext_lazy("part of a cost", "In all")),
)


@dataclass(frozen=True)
class CostRow:
    """One line of the table; `expected` and `highest` are None where nothing was estimated."""

    label: str | Promise
    actual: Sum
    expected: Cost | None = None
    highest: Cost | None = None


def cost_context(figures: RunFigures) -> dict[str, Any]:
    """The table of costs with the estimate, then time, tokens and latency."""
    stored = figures.run.estimate
    estimate = CostEstimate.of_json(stored) if stored else None
    spending = figures.totals.spending
    rows = [
        CostRow(
            label,
            getattr(spending, name),
            getattr(estimate.expected, name) if estimate else None,
            getattr(estimate.highest, name) if estimate else None,
        )
        for name, label in PARTS
    ]
    return {"cost_rows": rows, "estimate": estimate, "answers": figures.results.sums.answers}
