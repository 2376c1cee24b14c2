"""What a test run was started with, as its page shows it (EV-D51)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evals.logic.left_out import LeftOut, left_out_by_cause
from evals.models import EvalRun
from evals.queries.baselines import run_of_dataset
from scoring.logic.pins import Pin
from scoring.logic.settings import Settings

PARTS: Mapping[str, str | Promise] = {
    "agent": _("Prices of the agent's model"),
    "judge": _("Prices of the judge's model"),
}
# So many of the cases that were not asked are listed by name.
LISTED = 100


def configuration_context(run: EvalRun) -> dict[str, Any]:
    """For `evals/run/_configuration.html`."""
    left_out = [LeftOut.of_json(one) for one in run.left_out]
    prices_kept = run.kept.get("prices") or {}
    return {
        "left_out": left_out_by_cause(left_out),
        "left_out_cases": left_out[:LISTED],
        "more_left_out": max(0, len(left_out) - LISTED),
        "pin": Pin.of_json(run.pin),
        "settings": Settings.of_json(run.snapshot.settings),
        "stored": run.snapshot.settings,
        "kept": run.kept,
        "prices": [(PARTS[name], _amounts(prices)) for name, prices in prices_kept.items() if prices],
        "options": run.options,
        "not_passed_in": _run_of(run, run.options.get("not_passed_in")),
    }


def _run_of(run: EvalRun, eval_id: str | None) -> EvalRun | None:
    return run_of_dataset(run.dataset, eval_id) if eval_id else None


def _amounts(prices: Mapping[str, str | None]) -> dict[str, Decimal]:
    """Prices are kept as text, so that no digit is lost."""
    return {part: Decimal(amount) for part, amount in prices.items() if amount is not None}
