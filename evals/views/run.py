"""One test run: its page with the list of its cases, and one case beside the list or as a page (EV-D53)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.pages import respond
from datasets.views.addresses import unkept, wants_panel
from evals.forms.run_page import RunPageState
from evals.queries.evals import find_eval
from evals.views.item_context import item_context
from evals.views.run_addresses import eval_address
from evals.views.run_context import run_context


@require_safe
def eval_run(request: Any, eval_id: UUID) -> HttpResponse:
    """The page; for a filter the list of cases alone."""
    run = find_eval(request.actor, eval_id)
    context = run_context(request, run, RunPageState.of(request.GET))
    if request.headers.get("HX-Target") == "cases":
        return unkept(respond(request, "evals/run.html", context, part="cases"))
    return unkept(render(request, "evals/run.html", context))


@require_safe
def eval_item(request: Any, eval_id: UUID, item_id: UUID) -> HttpResponse:
    """One case with its attempts: the panel beside the list, or a page."""
    run = find_eval(request.actor, eval_id)
    state = RunPageState.of(request.GET)
    context = item_context(request, run, item_id)
    context |= {"close_href": eval_address(run.pk, state.list_query), "panel_row": item_id, "state": state}
    if wants_panel(request):
        return unkept(render(request, "evals/item_panel.html", context))
    return unkept(respond(request, "evals/item.html", context, part="body"))
