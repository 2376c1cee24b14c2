"""The file that answers are written into elsewhere: a row for each case, with its id and its question."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify

from accounts import audit
from accounts.actor import Actor
from datasets.logic.file_writers import text_cell
from datasets.operations.exports import ExportFile, in_pieces
from datasets.queries.cases import cases_in_order
from datasets.queries.seen_cases import SeenCase
from scoring.logic.stored_answers import FIELDS
from scoring.operations.stored_answers import require_to_score


@transaction.atomic
def answer_template(actor: Actor, *, dataset_id: UUID) -> ExportFile:
    """A CSV with every case of the newest version, its answer left empty; recorded as an export is (DS-141).

    Raises `NotFound`, `NotAllowed` for who may not score answers against the dataset.
    """
    dataset = require_to_score(actor, dataset_id)
    number = dataset.newest_version
    cases = cases_in_order(actor, dataset, number).decide()
    details = {"version": number, "format": "answers", "cases": cases.count()}
    audit.record(actor, "dataset.exported", dataset, **details)
    name = f"{slugify(dataset.name, allow_unicode=False) or 'dataset'}-v{number}-answers.csv"
    return ExportFile(name, "text/csv; charset=utf-8", in_pieces(_lines(cases)))


def _lines(cases: Iterable[SeenCase]) -> Iterator[str]:
    yield f"{','.join(FIELDS)}\r\n"
    empty = "," * (len(FIELDS) - 2)
    for case in cases:
        yield f"{case.id},{text_cell(case.content.input)}{empty}\r\n"
