"""Problem: one thing wrong with a case or a file, in words that the faces translate."""

import dataclasses
from collections.abc import Mapping
from typing import Any


def gettext_noop(text: str) -> str:
    """Mark a text for translation without translating it: this layer knows no languages."""
    return text


class Word(str):
    """A word among the values of a problem that is translated like its text."""


@dataclasses.dataclass(frozen=True)
class Problem:
    """`field` is a dotted path (`checks.0.type`), empty for the whole; `text % values` is the sentence in English.

    `row` is the row of a file as a spreadsheet or an editor shows it (DS-D42); `line` is the line of the file, where
    cells with line breaks make it another number.
    """

    field: str
    text: str
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    row: int | None = None
    line: int | None = None

    def under(self, *path: str | int) -> "Problem":
        """The same problem, its field inside the named place."""
        parts = [*map(str, path), self.field]
        return dataclasses.replace(self, field=".".join(part for part in parts if part))
