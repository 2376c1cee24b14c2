"""Exporting a test run as a file; recorded before the first byte leaves (EV-D57, EV-D59)."""

from collections.abc import Callable, Iterator, Mapping
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from core.errors import Conflict, Invalid
from datasets.operations.exports import ExportFile, in_pieces
from evals.logic.export_rows import csv_lines, jsonl_lines
from evals.logic.junit import junit_lines
from evals.logic.markdown_summary import markdown
from evals.models import EvalRun
from evals.queries.evals import find_eval
from evals.queries.exported import ExportedRun, exported

Lines = Callable[[ExportedRun], Iterator[str]]


def _csv(run: ExportedRun) -> Iterator[str]:
    return csv_lines(run.rows())


def _jsonl(run: ExportedRun) -> Iterator[str]:
    return jsonl_lines(run.rows())


def _junit(run: ExportedRun) -> Iterator[str]:
    return junit_lines(run.name, run.tests(), run.results.tally, run.seconds)


def _md(run: ExportedRun) -> Iterator[str]:
    return iter([markdown(run.summary(address_of(run.run)), _)])


# By its name in the address: how the lines are made, the type, and how the file's name ends.
FORMATS: Mapping[str, tuple[Lines, str, str]] = {
    "csv": (_csv, "text/csv; charset=utf-8", "csv"),
    "jsonl": (_jsonl, "application/x-ndjson", "jsonl"),
    "junit": (_junit, "application/xml; charset=utf-8", "xml"),
    "md": (_md, "text/markdown; charset=utf-8", "md"),
}


@transaction.atomic
def export_eval(actor: Actor, *, eval_id: UUID, file_format: str) -> ExportFile:
    """The run as a file, as the actor may see it; complete and streamed.

    Raises `NotFound` for a run that may not be known, `Invalid` for an unknown format, `Conflict` while the run is at
    work (EV-D57).
    """
    run = find_eval(actor, eval_id)
    if file_format not in FORMATS:
        raise Invalid.at("format", _("Choose one of: %(known)s.") % {"known": ", ".join(FORMATS)})
    if not run.is_final:
        raise Conflict(
            "eval_running", _("This test run is still at work. Its results can be exported once it has ended.")
        )
    lines, content_type, ending = FORMATS[file_format]
    found = exported(actor, run)
    sizes = {"cases": len(found.results.items), "attempts": len(found.results.attempts)}
    named = {"eval": run.id_text, "number": run.number, "format": file_format}
    audit.record(actor, "eval.exported", run.dataset, **named, **sizes)
    name = f"{slugify(run.dataset.name) or 'dataset'}-test-run-{run.number}.{ending}"
    return ExportFile(name, content_type, in_pieces(lines(found)))


def address_of(run: EvalRun) -> str:
    """The run's page in the console, whole."""
    return settings.BASE_URL + reverse("eval", args=[run.pk])
