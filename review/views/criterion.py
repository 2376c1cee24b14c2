"""The dialog that turns a reviewer's note into a criterion, and scoring the answer anew (RV-62, RV-D36, RV-D38)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access
from accounts.permissions import Permission
from agents.queries.language_models import models_to_choose
from core.errors import Conflict, Invalid, status_of
from core.jobs import enqueue
from core.pages import Event, announce, respond
from datasets.forms.problems import show_problems
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import go_to, unkept
from review.forms.criterion import Choices, CriterionForm
from review.models import Scope
from review.operations.criteria import CriterionMade, make_criterion
from review.queries.criteria import ToMake, offer_to_score_anew, refuse_to_make, to_make
from review.queries.decisions import decision_of
from scoring.jobs import grade_score_job
from scoring.operations.anew import score_anew as lay_down_anew
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import ReadableScore, readable_score
from scoring.queries.scores import find_score
from scoring.views.addresses import review_address


@dataclass(frozen=True)
class Opened:
    """What the dialog is about."""

    request: Any
    dataset: Dataset
    shown: ReadableScore
    begin: ToMake

    @property
    def mark(self) -> str:
        return mask_mark(self.shown)

    def form(self, data: Any = None) -> CriterionForm:
        return CriterionForm(data, begin=self.begin, mark=self.mark, models=self._models())

    def _models(self) -> Choices:
        """Asked for where the judge has none (RV-D36)."""
        if not self.begin.lacks_model:
            return []
        models = models_to_choose(self.request.actor)
        known: Choices = [(model.id_text, f"{model.label} · {model.connection.name}") for model in models]
        return [("", _("No model chosen")), *known]


@require_http_methods(["GET", "POST"])
def score_criterion(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """The dialog; a POST makes the criterion and offers to score the answer anew."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    score = find_score(dataset, score_id)
    shown = readable_score(request.actor, score)
    sent = request.POST.get("mark")
    if request.method == "POST" and sent and sent != mask_mark(shown):
        return _closed(request)
    refuse_to_make(request.actor, score)
    opened = Opened(request, dataset, shown, to_make(request.actor, dataset, score))
    form = opened.form(request.POST if request.method == "POST" else None)
    return _make(opened, form) if form.is_valid() else _shown(opened, form, status=422 if form.is_bound else 200)


@require_POST
def score_anew(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """Score the answer anew, as a new score, and go there (RV-D38)."""
    dataset = find_dataset(request.actor, dataset_id)
    try:
        score = lay_down_anew(request.actor, dataset_id=dataset.pk, score_id=score_id)
    except (Invalid, Conflict) as refusal:
        messages.error(request, " ".join(one.message for one in getattr(refusal, "problems", ())) or str(refusal))
        return go_to(request, review_address(dataset.pk, score=score_id))
    enqueue(grade_score_job, score_id=score.pk)
    messages.success(request, _("The answer is being graded anew. Its older score stays as it is."))
    return go_to(request, review_address(dataset.pk, score=score.pk))


def _make(opened: Opened, form: CriterionForm) -> HttpResponse:
    try:
        made = make_criterion(
            opened.request.actor, dataset_id=opened.dataset.pk, score_id=opened.shown.id, **form.wanted
        )
    except Invalid as error:
        show_problems(form, error)
        return _shown(opened, form, status=422)
    except Conflict as refusal:
        return _refused(opened, form, refusal)
    return _made(opened, made)


def _shown(opened: Opened, form: CriterionForm, *, status: int) -> HttpResponse:
    may_add_model = access.may(opened.request.actor, Permission.CONNECTIONS_MANAGE)
    context = _context(opened) | {"form": form, "begin": opened.begin, "may_add_model": may_add_model}
    return unkept(respond(opened.request, "review/criterion.html", context, part="dialog", status=status))


def _refused(opened: Opened, form: CriterionForm, refusal: Conflict) -> HttpResponse:
    """409 with what was written and the case as it is now, so that sending it again is done knowingly (RV-D36)."""
    data = opened.request.POST.copy()
    now = to_make(opened.request.actor, opened.dataset, opened.shown.score)
    data["case_revision"] = str(now.case_revision or "")
    data["scope"] = data["scope"] if now.case_revision else Scope.RUBRIC.value
    current = Opened(opened.request, opened.dataset, opened.shown, now)
    again = current.form(data)
    again.is_valid()
    again.add_error(None, str(refusal))
    return _shown(current, again, status=status_of(refusal))


def _made(opened: Opened, made: CriterionMade) -> HttpResponse:
    actor, score = opened.request.actor, opened.shown.score
    now = to_make(actor, opened.dataset, score)
    context = _context(opened) | {
        "made": made,
        "begin": now,
        "is_graded": now.is_graded(made.made.scope),
        "anew": offer_to_score_anew(actor, opened.dataset, score),
    }
    return unkept(respond(opened.request, "review/criterion_made.html", context, part="dialog"))


def _context(opened: Opened) -> dict[str, Any]:
    decision = decision_of(opened.request.actor, opened.shown.score)
    return {"dataset": opened.dataset, "shown": opened.shown, "decision": decision}


def _closed(request: Any) -> HttpResponse:
    """409: the dialog closes and what was written is dropped, since it may quote what is hidden now (RV-16)."""
    if request.headers.get("HX-Request") != "true":
        raise Conflict("mask_changed", _("What you may read of this answer has changed. Nothing was saved."))
    response = unkept(HttpResponse(status=409))
    response["HX-Reswap"] = "none"
    return announce(announce(response, Event.DIALOG_CLOSED), Event.MASK_CHANGED)
