"""The versions of a dataset: their list, and going back to one (DS-62, DS-63, DS-D8, DS-D16)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from core.errors import Conflict
from core.limits import LIMITS
from core.pages import respond
from datasets.forms.numbers import whole_number
from datasets.models import Dataset, DatasetVersion
from datasets.operations.restores import preview_restore, restore_version
from datasets.queries.datasets import find_dataset
from datasets.queries.revision_usage import revisions_of_dataset, usage_of_organisation
from datasets.queries.versions import versions_of
from datasets.views.addresses import go_to, page_address


@dataclass(frozen=True)
class VersionRow:
    """A version of the list and where its acts are; an act that is not offered has no address."""

    version: DatasetVersion
    compare_href: str
    restore_href: str


@require_safe
def version_list(request: Any, dataset_id: UUID) -> HttpResponse:
    """The 100 newest with what each changed and cost; for htmx the short list beside the dataset's title."""
    dataset = find_dataset(request.actor, dataset_id)
    current = whole_number(request.GET.get("version"))
    context: dict[str, Any] = {
        "dataset": dataset,
        "versions": list(versions_of(dataset)[: LIMITS.versions_listed]),
        "listed": LIMITS.versions_listed,
        "current": dataset.newest_version if current is None else current,
    }
    if request.headers.get("HX-Request") != "true":
        may_edit = access.may(request.actor, Permission.DATASETS_EDIT, dataset)
        context["rows"] = [_row(dataset, version, may_edit) for version in context["versions"]]
        context["stored"] = revisions_of_dataset(dataset)
        context["usage"] = usage_of_organisation(request.actor)
    return respond(request, "datasets/versions.html", context, part="menu")


@require_http_methods(["GET", "POST"])
def version_restore(request: Any, dataset_id: UUID, number: int) -> HttpResponse:
    """Say in numbers what going back does, then do it; who decided on an older state is asked again."""
    if request.method == "GET":
        return _dialog(request, dataset_id, number)
    base = whole_number(request.POST.get("newest"))
    try:
        done = restore_version(request.actor, dataset_id=dataset_id, number=number, base_version=base)
    except Conflict as conflict:
        return _dialog(request, dataset_id, number, refusal=str(conflict), status=409)
    if done.changed:
        told = _("Version %(number)d is restored. Saved as version %(made)d.")
        messages.success(request, told % {"number": number, "made": done.version.number})
    else:
        messages.info(request, _("Nothing changed, so there is no new version."))
    return go_to(request, page_address(dataset_id))


def _row(dataset: Dataset, version: DatasetVersion, may_edit: bool) -> VersionRow:
    number = version.number
    compare = reverse("versions_compare", args=[dataset.pk]) + f"?from={number - 1}&to={number}"
    may_restore = may_edit and number < dataset.newest_version
    restore = reverse("version_restore", args=[dataset.pk, number]) if may_restore else ""
    return VersionRow(version, compare if number > 1 else "", restore)


def _dialog(request: Any, dataset_id: UUID, number: int, *, refusal: str = "", status: int = 200) -> HttpResponse:
    preview = preview_restore(request.actor, dataset_id=dataset_id, number=number)
    context = {
        "dataset": preview.dataset,
        "preview": preview,
        "refusal": refusal,
        "back": page_address(dataset_id, version=number),
    }
    return respond(request, "datasets/restore.html", context, part="dialog", status=status)
