"""How far a test run is: the part of its page that asks for itself every two seconds until it has ended (EV-D18)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.pages import Event, announce
from datasets.views.addresses import unkept
from evals.models import EvalRun, EvalState
from evals.queries.evals import find_eval
from evals.queries.shown_items import sight_of_run
from evals.views.run_context import progress_context


@require_safe
def eval_progress(request: Any, eval_id: UUID) -> HttpResponse:
    """The numbers and the answers that came last. In another state than the page shows, the page is loaded again."""
    run = find_eval(request.actor, eval_id)
    if run.state != request.GET.get("state"):
        return _another_state(request, run)
    context = progress_context(request, run, sight_of_run(request.actor, run).reads)
    return unkept(render(request, "evals/run/_progress.html", context | {"run": run}))


def _another_state(request: Any, run: EvalRun) -> HttpResponse:
    """What loads the page anew around whatever is open beside it, and says that the run has ended."""
    response = unkept(render(request, "evals/run/_changed.html", {"run": run}))
    if not run.is_final:
        return response
    kind = "pass" if run.state == EvalState.COMPLETED else "unscored"
    text = _("The test run has ended: %(state)s.") % {"state": run.get_state_display()}
    return announce(response, Event.MESSAGE_SHOWN, {"text": text, "kind": kind})
