"""Exporting a version as a file; recorded before the first byte leaves (DS-135, DS-141, DS-D53)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Invalid
from datasets.logic.file_writers import Writer, csv_lines, jsonl_lines
from datasets.models import Dataset
from datasets.queries.cases import cases_in_order
from datasets.queries.export_size import copied_texts
from datasets.queries.versions import number_of_version

MARK = "\ufeff"
PIECE = 32 * 1024
FORMATS: dict[str, tuple[Writer, str]] = {
    "csv": (csv_lines, "text/csv; charset=utf-8"),
    "jsonl": (jsonl_lines, "application/x-ndjson"),
}


@dataclass(frozen=True)
class ExportFile:
    """A file on its way: its name, its type, and its bytes as they are read."""

    name: str
    content_type: str
    pieces: Iterator[bytes]


@transaction.atomic
def export_version(
    actor: Actor, *, dataset_id: UUID, file_format: str, version: int | None = None, with_mark: bool = False
) -> ExportFile:
    """The cases of a version, the newest when left out, as the actor may see them; complete and streamed (DS-D51).

    `with_mark` puts a byte-order mark in front, which Excel needs to read UTF-8 (DS-D37). Raises `NotFound` for a
    dataset or version that is not there, `Invalid` for an unknown format.
    """
    # Locked while it is decided which rows the version has. Their contents are read while it is sent and never change,
    # unless text is removed from every version: then what is not sent yet goes without it (ACC-D29).
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    dataset = access.fetch(rows, actor, Permission.DATASETS_VIEW, pk=dataset_id)
    if file_format not in FORMATS:
        raise Invalid.at("format", _("Choose csv or jsonl."))
    number = number_of_version(dataset, version)
    cases = cases_in_order(actor, dataset, number).decide()
    writer, content_type = FORMATS[file_format]
    copied = copied_texts(actor, dataset, number)
    details = {"version": number, "format": file_format, "cases": cases.count(), "hidden": copied.hidden}
    audit.record(actor, "dataset.exported", dataset, **details, from_conversations=copied.cases)
    name = f"{slugify(dataset.name, allow_unicode=False) or 'dataset'}-v{number}.{file_format}"
    mark = MARK.encode() if with_mark else b""
    return ExportFile(name, content_type, in_pieces(writer(cases.written()), first=mark))


def in_pieces(lines: Iterable[str], *, first: bytes = b"") -> Iterator[bytes]:
    """The lines of a file gathered into pieces, since each piece costs the web server a write; `first` goes ahead."""
    piece = bytearray(first)
    for line in lines:
        piece += line.encode()
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
