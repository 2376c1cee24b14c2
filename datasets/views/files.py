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
from datasets.operations.imports import ImportPreview, ImportResult, import_file_once, preview_import
from datasets.queries.datasets import find_dataset
from datasets.queries.export_size import characters_of, copied_texts
from datasets.views.addresses import go_to, page_address, unkept
from datasets.views.case_table import shown_version
from datasets.views.telling import tell_hidden

PREVIEWED = 5
# The two buttons under what was read, and whether each leaves out what the dataset has word for word.
STEPS = {"import": False, "import_differing": True}


@require_http_methods(["GET", "POST"])
def dataset_import(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog; a chosen file is shown as it was read before anything is stored."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    if request.method == "GET":
        return _dialog(request, dataset, {"once": new_id()})
    if (file := request.FILES.get("file")) is None:
        return _dialog(request, dataset, {"refusal": _("Choose a file first.")}, status=422)
    sent = {"dataset_id": dataset_id, "name": file.name or "", "data": file.read(LIMITS.import_bytes + 1)}
    try:
        skip_existing = STEPS.get(request.POST.get("step"))
        if skip_existing is None:
            return _dialog(request, dataset, _previewed(preview_import(request.actor, **sent)))
        once = request.POST.get("once", "")
        result = import_file_once(request.actor, **sent, key=once, skip_existing=skip_existing)
    except Invalid as error:
        return _dialog(request, dataset, {"refusal": str(error), "problems": problem_rows(error)}, status=422)
    except (Conflict, TooLarge) as error:
        return _dialog(request, dataset, {"refusal": str(error)}, status=409 if isinstance(error, Conflict) else 413)
    messages.success(request, _told(result))
    tell_hidden(request, result.hidden)
    return go_to(request, page_address(dataset_id))


@require_safe
def dataset_export(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog that offers the formats, and says what an import would refuse (DS-D51)."""
    state = TableState.of(request.GET)
    shown = shown_version(request.actor, find_dataset(request.actor, dataset_id), state)
    size = characters_of(request.actor, shown.dataset, shown.number)
    context = {"dataset": shown.dataset, "shown": shown, "size": size, "too_large": size > LIMITS.import_bytes}
    context["copied"] = copied_texts(request.actor, shown.dataset, shown.number)
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


def _told(result: ImportResult) -> str:
    if not result.added:
        told = _("Nothing differs: version %(number)d has every case of the file. No version was made.")
        return told % {"number": result.version.number}
    told = ngettext(
        "%(count)d case imported. Saved as version %(number)d.",
        "%(count)d cases imported. Saved as version %(number)d.",
        result.added,
    )
    return told % {"count": result.added, "number": result.version.number}


def _previewed(preview: ImportPreview) -> dict[str, Any]:
    return {
        "preview": preview,
        "count": len(preview.cases),
        "first": preview.cases[:PREVIEWED],
        "more": max(0, len(preview.cases) - PREVIEWED),
        "twins": preview.twins[: LIMITS.twins_listed],
        "more_twins": max(0, len(preview.twins) - LIMITS.twins_listed),
    }


def _dialog(request: Any, dataset: Dataset, context: dict[str, Any], status: int = 200) -> HttpResponse:
    part = "dialog" if request.method == "GET" else "outcome"
    context = {"dataset": dataset, "columns": FIELDS, **context}
    return unkept(respond(request, "datasets/import.html", context, part=part, status=status))
