"""Two test runs side by side: what differs, what became of each case, and one case with both answers (EV-D44)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.errors import NotFound
from core.pages import respond
from datasets.views.addresses import unkept, wants_panel
from evals.forms.comparison import ComparisonState
from evals.models import EvalRun
from evals.queries.compared_rows import compared_case
from evals.queries.evals import find_eval
from evals.views.comparison_addresses import comparison_address
from evals.views.comparison_case import case_context
from evals.views.comparison_context import choice_context, comparison_context


@require_safe
def eval_compare(request: Any, eval_id: UUID) -> HttpResponse:
    """The comparison with the run of `with`, or with the baseline; for a filter its list, for a row the panel.

    Where neither names one, the page asks for it.
    """
    run, state = find_eval(request.actor, eval_id), ComparisonState.of(request.GET)
    other = _other(request, run, state)
    if other is None:
        return unkept(render(request, "evals/compare_choice.html", choice_context(request, run)))
    if wants_panel(request):
        return unkept(render(request, "evals/compare_panel.html", _case(request, run, other, state)))
    context = comparison_context(request, run, other, state)
    if state.case_id:
        context |= _case(request, run, other, state)
    return unkept(respond(request, "evals/compare.html", context, part="cases"))


def _other(request: Any, run: EvalRun, state: ComparisonState) -> EvalRun | None:
    """The run compared with, of the same dataset (EV-D39). Raises `NotFound` for any other."""
    wanted = state.other_id or run.baseline_id
    if wanted is None:
        return None
    other = find_eval(request.actor, wanted)
    if other.dataset_id != run.dataset_id or other.pk == run.pk:
        raise NotFound
    return other


def _case(request: Any, run: EvalRun, other: EvalRun, state: ComparisonState) -> dict[str, Any]:
    """Of the open case. Raises `NotFound` where neither run has it, and where none is named."""
    if state.case_id is None:
        raise NotFound
    shown = compared_case(request.actor, other, run, state.case_id, (state.before, state.after))
    close = comparison_address(run.pk, other.pk, state.list_query)
    return case_context(run, other, state, shown) | {"close_href": close, "panel_row": state.case_id}
