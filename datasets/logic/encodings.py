"""The text of an uploaded file of cases, and in which words it is refused where it is none (DS-D37)."""

from core.encodings import BadByte, OtherEncoding, decode_utf8
from core.problems import Problem, gettext_noop
from datasets.logic.rows import UnreadableFile


def decoded(data: bytes) -> str:
    """The text without its mark. Raises `UnreadableFile` that names the other encoding or the first bad byte."""
    try:
        return decode_utf8(data)
    except OtherEncoding as error:
        text = gettext_noop("The file is saved as %(encoding)s. Save it as UTF-8.")
        raise UnreadableFile(Problem("file", text, {"encoding": error.name}, line=1)) from None
    except BadByte as error:
        text = gettext_noop(
            "Byte %(place)d, in line %(line)d, is not UTF-8. Save the file as UTF-8; in Excel choose “CSV UTF-8”."
        )
        values = {"place": error.number, "line": error.line}
        raise UnreadableFile(Problem("file", text, values, line=error.line)) from None
