"""A whole import file: its name says the format, its bytes hold the cases (DS-121, DS-D38)."""

from collections.abc import Iterator

from core.problems import Problem, gettext_noop
from datasets.logic.csv_reader import read_csv
from datasets.logic.encodings import decoded
from datasets.logic.file_fields import CASE_FILE, FileFields
from datasets.logic.jsonl_reader import read_jsonl
from datasets.logic.rows import ReadRows, Row, UnreadableFile, read_rows

READERS = {".csv": read_csv, ".jsonl": read_jsonl}


def rows_of_file(name: str, data: bytes, fields: FileFields = CASE_FILE) -> Iterator[Row]:
    """The rows of the file as raw fields. Raises `UnreadableFile` where the file as a whole cannot be read."""
    reader = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if reader is None:
        raise UnreadableFile(Problem("file", gettext_noop("The name of the file must end in .csv or .jsonl.")))
    return reader(decoded(data), fields)


def read_import_file(name: str, data: bytes, *, most: int) -> ReadRows:
    """Every case of the file, or every problem. Raises `UnreadableFile` where the file as a whole cannot be read."""
    return read_rows(rows_of_file(name, data), most=most)
