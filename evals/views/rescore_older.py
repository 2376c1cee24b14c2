"""Scoring the answers of an older test run anew with today's settings: what it costs, then the act (EV-D43)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.views.answers import dialog, done
from core.errors import Conflict, Invalid
from datasets.views.addresses import id_or_none, page_address
from evals.models import EvalRun
from evals.operations.grading_anew import grade_anew
from evals.queries.anew import anew_plan
from evals.queries.evals import find_eval
from evals.queries.run_links import name_of
from evals.views.comparison_addresses import comparison_address
from evals.views.run_addresses import eval_address
from scoring.views.addresses import GRADING


@require_http_methods(["GET", "POST"])
def eval_grade_anew(request: Any, eval_id: UUID) -> HttpResponse:
    """The estimate with the act; afterwards the comparison of the run of `with` with what is graded then."""
    run = find_eval(request.actor, eval_id)
    newer = _newer(request, run)
    back = comparison_address(newer.pk, run.pk) if newer else eval_address(run.pk)
    context: dict[str, Any] = {"run": run, "name": name_of(run), "dataset": run.dataset}
    try:
        if request.method == "POST":
            made = grade_anew(request.actor, eval_id=eval_id)
            there = comparison_address(newer.pk, made.pk) if newer else eval_address(made.pk)
            return done(request, there, _("Its answers are being graded as %(name)s.") % {"name": name_of(made)})
        context["plan"] = anew_plan(request.actor, run)
    except (Conflict, Invalid) as refusal:
        context |= _refused(run, newer, refusal)
    status = 409 if request.method == "POST" else 200
    submit = _("Score anew") if "plan" in context else ""
    title = _("Score the answers anew")
    return dialog(
        request, "grade_anew", title=title, back=back, app="evals", submit=submit, status=status,
        newer=newer, grading=page_address(run.dataset_id, **GRADING), **context,
    )  # fmt: skip


def _newer(request: Any, run: EvalRun) -> EvalRun | None:
    """The run that the answers are compared with afterwards, as the address names it. Raises `NotFound`."""
    wanted = id_or_none(request.POST.get("with") or request.GET.get("with"))
    return find_eval(request.actor, wanted) if wanted else None


def _refused(run: EvalRun, newer: EvalRun | None, refusal: Conflict | Invalid) -> dict[str, Any]:
    """Why not, in words; with the way to the run that is there already where that is the reason."""
    if isinstance(refusal, Invalid):
        return {"refusal": " ".join(problem.message for problem in refusal.problems)}
    known = id_or_none(refusal.data.get("eval")) if refusal.code == "graded_alike" else None
    if known is None or known in (run.pk, newer.pk if newer else None):
        return {"refusal": str(refusal)}
    there = comparison_address(newer.pk, known) if newer else reverse("eval", args=[known])
    return {"refusal": str(refusal), "there": there}
