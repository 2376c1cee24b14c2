"""Exporting graded answers as a file; recorded before the first byte leaves (RV-D44)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone, translation
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Invalid
from datasets.models import Dataset
from datasets.operations.exports import ExportFile, in_pieces
from review.logic.export_rows import csv_lines, jsonl_lines
from review.queries.exported import ExportedScores
from scoring.queries.scores import ScoreFilter

Writer = Callable[[Iterable[Mapping[str, Any]]], Iterator[str]]
FORMATS: Mapping[str, tuple[Writer, str]] = {
    "csv": (csv_lines, "text/csv; charset=utf-8"),
    "jsonl": (jsonl_lines, "application/x-ndjson"),
}


@transaction.atomic
def export_scores(
    actor: Actor, *, dataset_id: UUID, file_format: str, wanted: ScoreFilter, sort: str = ""
) -> ExportFile:
    """The answers that the filter lets through, as the actor may see them; complete and streamed.

    The audit entry names which filters were set, and no value of them: tags are words of people. Raises `NotFound` for
    a dataset that may not be known, `Invalid` for an unknown format.
    """
    dataset = access.fetch(Dataset.objects.all(), actor, Permission.DATASETS_VIEW, pk=dataset_id)
    if file_format not in FORMATS:
        raise Invalid.at("format", _("Choose one of: %(known)s.") % {"known": ", ".join(FORMATS)})
    writer, content_type = FORMATS[file_format]
    filters = [name for name, value in vars(wanted).items() if value]
    audit.record(actor, "scores.exported", dataset, format=file_format, filters=filters)
    language = translation.get_language() or "en"
    found = ExportedScores(actor, dataset, wanted, sort, timezone.now(), language)
    name = f"{slugify(dataset.name, allow_unicode=False) or 'dataset'}-answers.{file_format}"
    return ExportFile(name, content_type, in_pieces(writer(found.rows())))
