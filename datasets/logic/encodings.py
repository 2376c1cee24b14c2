"""Bytes of an uploaded file to text: UTF-8, with or without a byte-order mark, and nothing else (DS-D37)."""

import codecs

from core.problems import Problem, gettext_noop
from datasets.logic.rows import UnreadableFile

# The marks of UTF-32 come first: the little-endian one begins like that of UTF-16.
MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def decoded(data: bytes) -> str:
    """The text without its mark. Raises `UnreadableFile` that names the other encoding or the first bad byte."""
    for mark, name in MARKS:
        if data.startswith(mark):
            text = gettext_noop("The file is saved as %(encoding)s. Save it as UTF-8.")
            raise UnreadableFile(Problem("file", text, {"encoding": name}, line=1))
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UnreadableFile(_bad_byte(data, error.start)) from None


def _bad_byte(data: bytes, place: int) -> Problem:
    line = data.count(b"\n", 0, place) + 1
    text = gettext_noop(
        "Byte %(place)d, in line %(line)d, is not UTF-8. Save the file as UTF-8; in Excel choose “CSV UTF-8”."
    )
    return Problem("file", text, {"place": place + 1, "line": line}, line=line)
