"""JsonText: a list or object kept as the text of its JSON, so that what was written comes back to the letter."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    TextOfAnything = models.TextField[Any, Any]
else:
    TextOfAnything = models.TextField


# Made once: json.dumps makes an encoder for each call that asks for anything but its defaults.
_strict = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def json_text(value: Any) -> str:
    """The text in which a JsonText keeps the value, for rows that are written without a model."""
    return _strict.encode(value)


class JsonText(TextOfAnything):
    """Compact JSON in a text column.

    PostgreSQL's jsonb keeps values, not texts: it would turn 1e16 into a whole number and forget the order of keys.
    An export must come back unchanged on both databases (DS-136), and nothing searches inside these columns.
    """

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> Any:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else json_text(value)

    def to_python(self, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or ""
