"""Bytes of a file to text: UTF-8, with or without a byte-order mark, and nothing else (DS-D37, BC-2)."""

import codecs

# The marks of UTF-32 come first: the little-endian one begins like that of UTF-16.
MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class OtherEncoding(ValueError):
    """The file begins with the mark of another encoding; `name` is which."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class BadByte(ValueError):
    """The first byte that is no text; `number` and `line` count from 1."""

    def __init__(self, data: bytes, place: int) -> None:
        super().__init__(place)
        self.number = place + 1
        self.line = data.count(b"\n", 0, place) + 1


def decode_utf8(data: bytes) -> str:
    """The text without its mark. Raises `OtherEncoding` or `BadByte`."""
    for mark, name in MARKS:
        if data.startswith(mark):
            raise OtherEncoding(name)
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadByte(data, error.start) from None
