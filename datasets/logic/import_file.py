"""A whole import file: its name says the format, its bytes hold the cases (DS-121, DS-D38)."""

from core.problems import Problem, gettext_noop
from datasets.logic.csv_reader import read_csv
from datasets.logic.encodings import decoded
from datasets.logic.jsonl_reader import read_jsonl
from datasets.logic.rows import ReadRows, UnreadableFile, read_rows

READERS = {".csv": read_csv, ".jsonl": read_jsonl}


def read_import_file(name: str, data: bytes, *, most: int) -> ReadRows:
    """Every case of the file, or every problem. Raises `UnreadableFile` where the file as a whole cannot be read."""
    reader = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if reader is None:
        raise UnreadableFile(Problem("file", gettext_noop("The name of the file must end in .csv or .jsonl.")))
    return read_rows(reader(decoded(data)), most=most)
