"""The list of datasets, and making one (DS-94, DS-95)."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from core.errors import Invalid
from core.limits import LIMITS
from core.pages import respond
from datasets.forms.dataset import DatasetForm
from datasets.forms.problems import show_problems
from datasets.operations.datasets import create_dataset
from datasets.queries.datasets import datasets_named, is_offered_the_tour, visible_datasets
from datasets.views.addresses import go_to, id_or_none, page_address

ORDERS = {"name": ("name_folded", "pk"), "cases": ("case_count", "pk"), "changed": ("changed_at", "pk")}


@require_safe
def dataset_list(request: Any) -> HttpResponse:
    """What the member can see, last changed first."""
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    sort = request.GET.get("sort", "")
    sort = sort if sort.removeprefix("-") in ORDERS else "-changed"
    sign = "-" if sort.startswith("-") else ""
    rows = visible_datasets(request.actor, search=search)
    ordered = rows.order_by(*[sign + column for column in ORDERS[sort.removeprefix("-")]])
    page = Paginator(ordered, LIMITS.page_size).get_page(request.GET.get("page"))
    may_create = access.may(request.actor, Permission.DATASETS_EDIT)
    context = {
        "page": page,
        "search": search,
        "may_create": may_create,
        "offer_tour": is_offered_the_tour(request.actor),
    }
    return respond(request, "datasets/list.html", context, part="table")


@require_http_methods(["GET", "POST"])
def dataset_new(request: Any) -> HttpResponse:
    """The form of a new dataset, in a dialog or as a page; the dataset opens as soon as it exists."""
    access.require(request.actor, Permission.DATASETS_EDIT)
    form = DatasetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        tour = "offered" if is_offered_the_tour(request.actor) else None
        try:
            dataset = create_dataset(request.actor, **form.cleaned_data)
        except Invalid as error:
            show_problems(form, error)
        else:
            messages.success(request, _("The dataset is there. Now add its first cases."))
            return go_to(request, page_address(dataset.pk, tour=tour))
    status = 422 if form.is_bound else 200
    return respond(request, "datasets/new.html", {"form": form}, part="dialog", status=status)


@require_safe
def dataset_name_check(request: HttpRequest) -> HttpResponse:
    """Whether another dataset has this name, among those the member can see (DS-D10); `dataset` is the one at hand."""
    actor: Any = request.actor  # type: ignore[attr-defined]
    name = request.GET.get("name", "").strip()[: LIMITS.name_characters]
    same = datasets_named(actor, name, besides=id_or_none(request.GET.get("dataset"))).first() if name else None
    return respond(request, "datasets/new.html", {"same": same, "form": DatasetForm()}, part="same_name")
