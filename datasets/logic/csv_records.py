"""Cutting CSV text into records: comma, double quote, doubled quote inside; rows end with CRLF or LF (DS-D39).

The standard library's reader turns a quote that never closes into one row that swallows the rest, and has a limit of
cell size for the whole process. This one names the line of the quote and leaves limits to the rules of fields.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.problems import Problem, gettext_noop
from datasets.logic.rows import UnreadableFile

# Each a single repeated class, which takes no memory and never goes back far: files of 10 MB are read with them.
BARE = re.compile(r"[^,\n]*")
BLANK = re.compile(r"[\s,]*\n")


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
        if blank := BLANK.match(text, place):  # lines of nothing but separators, all at once
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
    while True:
        cell, after, problem = _cell(text, place, number, line)
        if problem:
            raise UnreadableFile(problem)
        cells.append(cell)
        line += text.count("\n", place, after)
        if text[after : after + 1] == ",":
            place = after + 1
            continue
        return cells, after + (2 if text.startswith("\r\n", after) else 1)


def _cell(text: str, place: int, number: int, line: int) -> tuple[str, int, Problem | None]:
    """The cell that begins here and where it ends: at a comma, a line end or the end of the text."""
    if text[place : place + 1] != '"':
        bare = BARE.match(text, place)
        end = bare.end() if bare else place
        # A carriage return alone belongs to the cell, and one before the line feed to the line end.
        end -= text.startswith("\r\n", end - 1) and end > place
        return text[place:end], end, None
    closing = _closing_quote(text, place + 1)
    after = closing + 1
    ended = closing >= 0 and (after == len(text) or text.startswith((",", "\n", "\r\n"), after))
    if not ended:
        return "", place, _broken_quote(text, place, closing, number, line)
    return text[place + 1 : closing].replace('""', '"'), after, None


def _closing_quote(text: str, place: int) -> int:
    """Where the quote closes that was opened before `place`, doubled ones passed over; -1 where it never does."""
    closing = text.find('"', place)
    while closing >= 0 and text.startswith('"', closing + 1):
        closing = text.find('"', closing + 2)
    return closing


def _broken_quote(text: str, place: int, closing: int, number: int, line: int) -> Problem:
    if closing < 0:
        return Problem(
            "file",
            gettext_noop("A quotation mark opens in line %(line)d and never closes."),
            {"line": line},
            number,
            line,
        )
    values = {"line": line, "closing": line + text.count("\n", place, closing)}
    message = gettext_noop(
        "The quotation mark that opens in line %(line)d closes in line %(closing)d, and text follows it there. A "
        "quotation mark inside a cell is written twice."
    )
    return Problem("file", message, values, number, line)
