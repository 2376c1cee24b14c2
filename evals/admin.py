"""What operators see of test runs: read-only, without texts; a run can be cancelled (EV-D67)."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.actor import Actor
from core.errors import Conflict
from core.operators import ReadOnlyAdmin
from evals.models import Attempt, EvalRun
from evals.operations.cancelling import cancel_eval


@admin.register(EvalRun)
class EvalRunAdmin(ReadOnlyAdmin):
    """How far each run is."""

    actions = ("cancel",)
    list_display = ("id", "organisation", "dataset", "number", "state", "created_at", "finished_at")
    fields = (
        "organisation",
        "dataset",
        "number",
        "version",
        "agent",
        "state",
        "repeats",
        "confirm_changes",
        "max_cost",
        "pin_hash",
        "is_baseline",
        "with_key",
        "created_at",
        "started_at",
        "finished_at",
        "progress_at",
        "stalls",
        "archived_at",
    )
    list_filter = ("state",)
    list_select_related = ("organisation", "dataset")
    search_fields = ("id", "dataset__id")
    show_full_result_count = False

    @admin.action(description=gettext_lazy("Cancel the chosen test runs"), permissions=["cancel"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[EvalRun]) -> None:
        """By the operation, as the deployment's operator; runs that have ended are left as they are and counted."""
        done = ended = 0
        for run in queryset.select_related("organisation"):
            actor = Actor(organisation=run.organisation, address=request.META.get("REMOTE_ADDR", ""))
            try:
                cancel_eval(actor, eval_id=run.pk)
                done += 1
            except Conflict:
                ended += 1
        if done:
            words = ngettext("%(count)d test run is cancelled.", "%(count)d test runs are cancelled.", done)
            self.message_user(request, words % {"count": done}, messages.SUCCESS)
        if ended:
            self.message_user(request, _("Already ended: %(count)d.") % {"count": ended}, messages.WARNING)

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        """Whether the operator may do more than look."""
        return bool(request.user.has_perm("evals.change_evalrun"))


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    """Who works on which answer, and how often it was tried."""

    list_display = ("id", "run", "number", "kind", "state", "tries", "losses", "leased_until", "done_at")
    fields = (
        "run",
        "item",
        "number",
        "kind",
        "state",
        "worker",
        "leased_until",
        "losses",
        "tries",
        "error_key",
        "agent_run",
        "score",
        "cost",
        "seconds",
        "input_tokens",
        "output_tokens",
        "model",
        "answered_at",
        "done_at",
    )
    list_filter = ("state", "kind")
    list_select_related = ("run", "item")
    search_fields = ("id", "run__id")
    show_full_result_count = False
