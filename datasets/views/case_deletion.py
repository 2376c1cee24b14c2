"""Deleting one case or several, as one version, with or without their text in older ones (DS-18, DS-D14, ACC-D28)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.permissions import Permission
from core.errors import Conflict, NotFound
from core.limits import LIMITS
from core.pages import respond
from datasets.models import Dataset
from datasets.operations.cases import delete_cases
from datasets.queries.cases import case_was_deleted, count_copied
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import go_to, page_address


@require_http_methods(["GET", "POST"])
def cases_delete(request: Any, dataset_id: UUID) -> HttpResponse:
    """Ask which way, then delete. Each case comes with the revision that was on screen, as `id:revision`."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    chosen = _chosen(request)
    if request.method == "GET":
        return _dialog(request, dataset, chosen)
    wanted: dict[str, Any] = {"case_ids": list(chosen), "base_revisions": chosen}
    wanted["remove_text"] = "remove_text" in request.POST
    try:
        version = delete_cases(request.actor, dataset_id=dataset_id, **wanted)
    except Conflict as conflict:
        return _dialog(request, dataset, chosen, status=409, refusal=str(conflict))
    deleted = version.removed if version.number > dataset.newest_version else 0
    messages.success(request, _told(version.number, deleted, len(chosen) if wanted["remove_text"] else 0))
    return go_to(request, page_address(dataset_id, request.GET.urlencode(), chosen=None, version=None))


def _told(version: int, deleted: int, without_text: int) -> str:
    told = []
    if deleted:
        words = ngettext("%(count)d case deleted.", "%(count)d cases deleted.", deleted)
        told = [words % {"count": deleted}, _("Saved as version %(number)d.") % {"number": version}]
    if without_text:
        gone = ngettext("Its text is gone from every version.", "Their text is gone from every version.", without_text)
        told.append(gone)
    return " ".join(told)


def _chosen(request: Any) -> dict[UUID, int]:
    sent = (request.POST if request.method == "POST" else request.GET).getlist("chosen")
    chosen = {}
    for value in sent[: LIMITS.page_size_max]:
        case_id, _colon, revision = value.partition(":")
        try:
            chosen[UUID(case_id)] = int(revision)
        except ValueError:
            raise NotFound from None
    return chosen


def _dialog(
    request: Any, dataset: Dataset, chosen: dict[UUID, int], *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    query = request.GET.copy()
    query.pop("chosen", None)
    context = {
        "dataset": dataset,
        "chosen": [f"{case_id}:{revision}" for case_id, revision in chosen.items()],
        "count": len(chosen),
        "copied": count_copied(dataset, list(chosen)),
        "were_deleted": bool(chosen) and all(case_was_deleted(dataset, case_id) for case_id in chosen),
        "refusal": refusal,
        "list_query": query.urlencode(),
        "back": page_address(dataset.pk, query.urlencode()),
    }
    return respond(request, "datasets/delete_cases.html", context, part="dialog", status=status)
