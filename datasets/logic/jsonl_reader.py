"""Reading rows from JSONL: one object a line (DS-D44)."""

import re
from collections.abc import Iterator

from core.json_faults import json_problem
from core.problems import Problem
from core.strict_json import JSONFault, read_json
from core.texts import type_name
from datasets.logic.file_fields import CASE_FILE, FileFields
from datasets.logic.rows import Row

# The arguments of a call may be 32 levels deep, and stand in an object, a list and an object.
LINE_DEPTH = 36
BLANK = re.compile(r"\s*\n")


def read_jsonl(text: str, fields: FileFields = CASE_FILE) -> Iterator[Row]:
    """The lines that are not blank. Rows are numbered by line."""
    place, number = 0, 1
    while place < len(text):
        if blank := BLANK.match(text, place):
            number += text.count("\n", place, blank.end())
            place = blank.end()
            continue
        end = text.find("\n", place) + 1 or len(text)
        line = text[place:end]
        if line.strip():
            yield _row(number, line, fields)
        place, number = end, number + 1


def _row(number: int, line: str, fields: FileFields) -> Row:
    try:
        # With its end the line shows whether it ends inside a string, which is another fault than a missing quote.
        value = read_json(line, depth=LINE_DEPTH)
    except JSONFault as fault:
        return Row(number, number, {}, (json_problem(fault, "", with_line=False),))
    if not isinstance(value, dict):
        return Row(number, number, {}, (Problem("", fields.no_object, {"type": type_name(value)}),))
    return Row(number, number, value)
