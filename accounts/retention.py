"""The registry of what retention deletes: the app that holds conversations says how many there are (PL-34).

That app stands above this one, so it registers by dotted path in `AppConfig.ready()`.
"""

from typing import Any

from django.utils.module_loading import import_string

_counts: list[str] = []


def register(path: str) -> None:
    """Name the function that counts: `(organisation, days) -> int`, the conversations older than that."""
    if path not in _counts:
        _counts.append(path)


def conversations_past(organisation: Any, days: int) -> int:
    """How many conversations would be deleted now, if they were kept so many days."""
    return sum(import_string(path)(organisation, days) for path in _counts)
