"""Reading rows from CSV: the header, then a row a record (DS-D40 to DS-D42, DS-D48)."""

from collections.abc import Iterator
from typing import Any

from core.json_faults import json_problem
from core.problems import Problem, Word, gettext_noop
from core.strict_json import JSONFault, read_json
from datasets.logic.csv_records import Record, records_of
from datasets.logic.file_fields import CASE_FILE, FileFields, found_in, like_a_question
from datasets.logic.rows import Row, UnreadableFile
from datasets.logic.validation import named_once, unknown_field

# The first characters that a spreadsheet takes for a formula, and the mark itself (DS-137, DS-D48).
FORMULA = ("=", "+", "-", "@", "'")
# Cells of JSON hold the lists that lines of JSONL hold one level further in.
CELL_DEPTH = 36


def read_csv(text: str, fields: FileFields = CASE_FILE) -> Iterator[Row]:
    """The rows after the header, blank ones left out. Raises `UnreadableFile`."""
    records = records_of(text)
    header = next(records, None)
    if header is None:
        return
    names = _columns(header, fields)
    for record in records:
        yield _row(names, record, fields)


# --- The header


def _columns(header: Record, fields: FileFields) -> list[str]:
    """The column names, "" for a nameless one. Raises `UnreadableFile` with every problem of the header (DS-D40)."""
    names = [name.strip() for name in header.cells]
    separator = _separator(names[0]) if len(names) == 1 else None
    problems = [separator] if separator else list(_header_problems(names, fields))
    if problems:
        raise UnreadableFile(*(Problem(p.field, p.text, p.values, header.number, header.line) for p in problems))
    return names


def _separator(name: str) -> Problem | None:
    for sign, word in ((";", gettext_noop("semicolons")), ("\t", gettext_noop("tabs"))):
        if sign in name:
            text = gettext_noop("The file looks separated by %(separator)s. Save it with commas between the cells.")
            return Problem("file", text, {"separator": Word(word)})
    if "\r" in name:
        return Problem("file", gettext_noop("The lines end with CR alone. Save the file with line ends of CRLF or LF."))
    return None


def _header_problems(names: list[str], fields: FileFields) -> Iterator[Problem]:
    if not any(name in fields.known for name in names):
        yield _no_header(names, fields)
        return
    named = [unknown_field(name, fields.known) for name in dict.fromkeys(names) if name and name not in fields.known]
    yield from named_once(named)
    for name in dict.fromkeys(names):
        if name in fields.known and names.count(name) > 1:
            yield Problem(name, gettext_noop("This column is there %(count)d times."), {"count": names.count(name)})
    yield from fields.missing(names)


def _no_header(names: list[str], fields: FileFields) -> Problem:
    values = {"found": found_in(names), "known": ", ".join(fields.known), "column": like_a_question(names)}
    text = gettext_noop("The first row must name the columns. Yours holds: %(found)s. Known are: %(known)s.")
    if values["column"] and "input" in fields.known:
        text = gettext_noop(
            "The first row must name the columns. Yours holds: %(found)s. Known are: %(known)s. If %(column)s holds "
            "the questions, call it input."
        )
    return Problem("file", text, values)


# --- A row


def _row(names: list[str], record: Record, fields: FileFields) -> Row:
    raw: dict[str, Any] = {}
    problems: list[Problem] = []
    extra = record.cells[len(names) :]
    if extra:
        values = {"count": len(record.cells), "columns": len(names)}
        problems.append(
            Problem("", gettext_noop("The row has %(count)d cells, and the header %(columns)d columns."), values)
        )
    for name, cell in zip(names, record.cells, strict=False):
        if name:
            raw[name], wrong = _value(name, _without_mark(cell), fields)
            problems += wrong
        elif cell.strip():
            problems.append(Problem("", gettext_noop("A column without a name has a value in this row.")))
    return Row(record.number, record.line, raw, tuple(problems))


def _without_mark(cell: str) -> str:
    """The cell without the one `'` that an export writes before what a spreadsheet would run (DS-138, DS-D48)."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def _value(name: str, cell: str, fields: FileFields) -> tuple[Any, list[Problem]]:
    if name in fields.cells:
        return fields.cells[name](cell), []
    if name not in fields.json or not cell.strip():
        return cell, []
    try:
        return read_json(cell, depth=CELL_DEPTH), []
    except JSONFault as fault:
        return None, [json_problem(fault, name)]
