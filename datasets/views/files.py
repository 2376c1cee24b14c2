"""Importing and exporting in the console (DS-125 to DS-128, DS-135)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Permission
from core.errors import Conflict, Invalid, TooLarge
from core.ids import new_id
from core.limits import LIMITS
from core.pages import respond
from datasets.downloads import attachment, template_file
from datasets.forms.problems import problem_rows
from datasets.forms.table_state import TableState
from datasets.logic.drafts import FIELDS
from datasets.models import Dataset
from datasets.operations.exports import export_version
from datasets.operations.imports import ImportPreview, import_file_once, preview_import
from datasets.queries.datasets import find_dataset
from datasets.queries.export_size import characters_of
from datasets.views.addresses import go_to, page_address, unkept
from datasets.views.case_table import shown_version
from datasets.views.telling import tell_hidden

PREVIEWED = 5


@require_http_methods(["GET", "POST"])
def dataset_import(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog; a chosen file is shown as it was read before anything is stored."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    if request.method == "GET":
        return _dialog(request, dataset, {"once": new_id()})
    file = request.FILES.get("file")
    if file is None:
        return _dialog(request, dataset, {"refusal": _("Choose a file first.")}, status=422)
    sent = {"dataset_id": dataset_id, "name": file.name or "", "data": file.read(LIMITS.import_bytes + 1)}
    try:
        if request.POST.get("step") != "import":
            return _dialog(request, dataset, _previewed(preview_import(request.actor, **sent)))
        result = import_file_once(request.actor, **sent, key=request.POST.get("once", ""))
    except Invalid as error:
        return _dialog(request, dataset, {"refusal": str(error), "problems": problem_rows(error)}, status=422)
    except (Conflict, TooLarge) as error:
        return _dialog(request, dataset, {"refusal": str(error)}, status=409 if isinstance(error, Conflict) else 413)
    messages.success(request, _told(result.added, result.version.number))
    tell_hidden(request, result.hidden)
    return go_to(request, page_address(dataset_id))


@require_safe
def dataset_export(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog that offers the formats, and says what an import would refuse (DS-D51)."""
    state = TableState.of(request.GET)
    shown = shown_version(request.actor, find_dataset(request.actor, dataset_id), state)
    size = characters_of(shown.dataset, shown.number)
    context = {"dataset": shown.dataset, "shown": shown, "size": size, "too_large": size > LIMITS.import_bytes}
    return respond(request, "datasets/export.html", context, part="dialog")


@require_safe
def dataset_export_file(request: Any, dataset_id: UUID) -> HttpResponseBase:
    """The file of the version on screen."""
    return attachment(
        export_version(
            request.actor,
            dataset_id=dataset_id,
            file_format=request.GET.get("format", "csv"),
            version=TableState.of(request.GET).version,
            with_mark=request.GET.get("bom") == "true",
        )
    )


@require_safe
def import_template(request: Any) -> HttpResponseBase:
    """A CSV to begin with."""
    return template_file()


def _told(added: int, version: int) -> str:
    told = ngettext(
        "%(count)d case imported. Saved as version %(number)d.",
        "%(count)d cases imported. Saved as version %(number)d.",
        added,
    )
    return told % {"count": added, "number": version}


def _previewed(preview: ImportPreview) -> dict[str, Any]:
    return {
        "preview": preview,
        "first": preview.drafts[:PREVIEWED],
        "more": max(0, len(preview.drafts) - PREVIEWED),
    }


def _dialog(request: Any, dataset: Dataset, context: dict[str, Any], status: int = 200) -> HttpResponse:
    part = "dialog" if request.method == "GET" else "outcome"
    context = {"dataset": dataset, "columns": FIELDS, **context}
    return unkept(respond(request, "datasets/import.html", context, part=part, status=status))
