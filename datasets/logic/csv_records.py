"""Cutting CSV text into records: comma, double quote, doubled quote inside; rows end with CRLF or LF (DS-D39).

The standard library's reader turns a quote that never closes into one row that swallows the rest, and has a limit of
cell size for the whole process. This one names the line of the quote and leaves limits to the rules of fields.
"""

from collections.abc import Iterator
from typing import NamedTuple

import regex

from datasets.logic.problems import Problem, gettext_noop
from datasets.logic.rows import UnreadableFile

# By the package: the standard library's possessive groups go wrong before Python 3.11.5, and greedy ones fill memory.
QUOTED = r'"((?:[^"]++|"")*+)"'
# A cell inside quotes or without them, and what ends it. A carriage return alone belongs to the cell.
CELL = regex.compile(rf'(?:{QUOTED}|((?!")(?:[^,\r\n]++|\r(?!\n))*+))(,|\r\n|\n|\Z)')
OPENED = regex.compile(QUOTED)
# Lines of nothing but separators and space, all at once: ten million of them are one match.
BLANK = regex.compile(r"[\s,]*\n")


class Record(NamedTuple):
    """One record of the file: its number as a spreadsheet shows it, its first line, its cells."""

    number: int
    line: int
    cells: list[str]

    @property
    def is_blank(self) -> bool:
        return not "".join(self.cells).strip()


def records_of(text: str) -> Iterator[Record]:
    """The records that are not blank; blank ones still count (DS-D41). Raises `UnreadableFile`."""
    place, line, number = 0, 1, 1
    while place < len(text):
        if blank := BLANK.match(text, place):
            lines = text.count("\n", place, blank.end())
            place, line, number = blank.end(), line + lines, number + lines
            continue
        cells, end = _cells(text, place, number, line)
        record = Record(number, line, cells)
        if not record.is_blank:
            yield record
        place, line, number = end, line + text.count("\n", place, end), number + 1


def _cells(text: str, place: int, number: int, line: int) -> tuple[list[str], int]:
    """The cells of the record that begins here, and where the next begins."""
    end = text.find("\n", place) + 1 or len(text)
    plain = text[place:end]
    if '"' not in plain:
        return plain.removesuffix("\n").removesuffix("\r").split(","), end
    cells = []
    while match := CELL.match(text, place):
        quoted, bare, ended_by = match.groups()
        cells.append(bare if quoted is None else quoted.replace('""', '"'))
        line += text.count("\n", place, match.end())
        place = match.end()
        if ended_by != ",":
            return cells, place
    raise UnreadableFile(_broken_quote(text, place, number, line))


def _broken_quote(text: str, place: int, number: int, line: int) -> Problem:
    closing = OPENED.match(text, place)
    if closing is None:
        return Problem(
            "file",
            gettext_noop("A quotation mark opens in line %(line)d and never closes."),
            {"line": line},
            number,
            line,
        )
    values = {"line": line, "closing": line + text.count("\n", place, closing.end())}
    message = gettext_noop(
        "The quotation mark that opens in line %(line)d closes in line %(closing)d, and text follows it there. A "
        "quotation mark inside a cell is written twice."
    )
    return Problem("file", message, values, number, line)
