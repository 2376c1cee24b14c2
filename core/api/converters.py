"""What stands for ids and numbers in the API's addresses: a malformed one is one that does not exist (ACC-D9).

The converters take any text. What is no id becomes the nil UUID and what is no number becomes 0: neither names a row,
so the endpoint answers with the same 404, byte for byte, that it gives for an id of somebody else.
"""

import re
from uuid import UUID

from django.urls import register_converter

NO_ID = UUID(int=0)
SHAPE = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class IdConverter:
    """`<id:member_id>`"""

    regex = "[^/]+"

    def to_python(self, value: str) -> UUID:
        return UUID(value) if SHAPE.fullmatch(value) else NO_ID

    def to_url(self, value: UUID | str) -> str:
        return str(value)


class NumberConverter:
    """`<number:number>`: from 1; what is no such number is 0."""

    regex = "[^/]+"

    def to_python(self, value: str) -> int:
        return int(value) if NUMBER.fullmatch(value) else 0

    def to_url(self, value: int | str) -> str:
        return str(value)


def register() -> None:
    """Make both known to URL patterns; done once, when the app starts."""
    register_converter(IdConverter, "id")
    register_converter(NumberConverter, "number")
