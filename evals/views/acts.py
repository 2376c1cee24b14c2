"""What is done with a test run from its page: cancel, resume, run again, baseline, archive, export (EV-D54)."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done, refused
from core.errors import Conflict, Invalid, NotAllowed
from datasets.downloads import attachment
from evals.forms.resuming import resume_form
from evals.operations.archiving import archive_eval, bring_back_eval
from evals.operations.baselines import end_baseline, make_baseline
from evals.operations.cancelling import cancel_eval
from evals.operations.exporting import export_eval
from evals.operations.resuming import resume_eval
from evals.queries.eval_acts import may_cancel
from evals.queries.evals import find_eval
from evals.queries.progress import progress_of_run
from evals.views.run_addresses import eval_address


@require_http_methods(["GET", "POST"])
def eval_cancel(request: Any, eval_id: UUID) -> HttpResponse:
    """Say what cancelling leaves, then cancel (EV-D26)."""
    run = find_eval(request.actor, eval_id)
    if not may_cancel(request.actor, run):
        raise NotAllowed
    back = eval_address(run.pk)
    if request.method == "POST":
        return _done(
            request,
            back,
            lambda: cancel_eval(request.actor, eval_id=eval_id),
            _("Cancelled: no new answer is asked for."),
        )
    return dialog(
        request, "cancel", title=_("Cancel this test run?"), back=back, app="evals", submit=_("Cancel the run"),
        danger=True, keep=_("Let it run"), run=run, progress=progress_of_run(run),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def eval_resume(request: Any, eval_id: UUID) -> HttpResponse:
    """Go on with what is missing; the cost limit may be raised (EV-D28)."""
    run = find_eval(request.actor, eval_id)
    access.require(request.actor, Permission.DATASETS_RUN, run.dataset)
    form = resume_form(run, request.POST if request.method == "POST" else None)
    back, status = eval_address(run.pk), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                resume_eval(request.actor, eval_id=eval_id, max_cost=form.cleaned_data["max_cost_usd"])
            except (Invalid, Conflict) as error:
                status = refused(form, error)
            else:
                return done(request, back, _("The run goes on."))
    return dialog(
        request, "resume", title=_("Resume this test run"), back=back, app="evals", submit=_("Resume"), form=form,
        status=status, run=run, progress=progress_of_run(run, confirming=False),
    )  # fmt: skip


@require_safe
def eval_again(request: Any, eval_id: UUID) -> HttpResponse:
    """The dialog that starts a run, with the choices of this one (EV-D51)."""
    run = find_eval(request.actor, eval_id)
    return redirect(f"{reverse('evals-start', args=[run.dataset_id])}?{urlencode({'again': run.pk})}")


@require_POST
def eval_baseline(request: Any, eval_id: UUID) -> HttpResponse:
    """Have runs of its dataset and agent be compared with this one, or no longer (EV-D40)."""
    back = eval_address(find_eval(request.actor, eval_id).pk)
    if request.POST.get("act") == "end":
        return _done(
            request, back, lambda: end_baseline(request.actor, eval_id=eval_id),
            _("It is no longer the baseline. New runs are compared with the latest completed one."),
        )  # fmt: skip
    return _done(
        request, back, lambda: make_baseline(request.actor, eval_id=eval_id),
        _("New runs of this agent on this dataset are compared with this one."),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def eval_archive(request: Any, eval_id: UUID) -> HttpResponse:
    """Hide it from the list, or bring it back (EV-D55); of a baseline the page asks before, since it ends that."""
    run = find_eval(request.actor, eval_id)
    back = eval_address(run.pk)
    if request.method == "GET":
        access.require(request.actor, Permission.DATASETS_EDIT, run.dataset)
        return dialog(
            request, "archive", title=_("Archive this test run?"), back=back, app="evals", submit=_("Archive"), run=run
        )
    if request.POST.get("act") == "bring_back":
        return _done(request, back, lambda: bring_back_eval(request.actor, eval_id=eval_id), _("It is listed again."))
    said = _("It is archived: hidden from the list, and no new run is compared with it unless it is chosen.")
    ended = _("It is no longer the baseline: new runs are compared with the latest completed one.")
    message = f"{said} {ended}" if run.is_baseline else said
    return _done(request, back, lambda: archive_eval(request.actor, eval_id=eval_id), message)


@require_safe
def eval_export(request: Any, eval_id: UUID) -> HttpResponseBase:
    """The results as a file, as this reader may see them (EV-D57, EV-D59)."""
    return attachment(export_eval(request.actor, eval_id=eval_id, file_format=request.GET.get("format", "csv")))


def _done(request: Any, back: str, act: Callable[[], object], message: str) -> HttpResponse:
    """Do it and say so on the run's page; so is a refusal that the page did not know of."""
    try:
        act()
    except Conflict as refusal:
        messages.error(request, str(refusal))
        return done(request, back)
    return done(request, back, message)
