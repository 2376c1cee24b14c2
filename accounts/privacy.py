"""The registry of what an erasure and a person's data export reach (ACC-D36, ACC-D43).

Each app registers its handlers by dotted path in `AppConfig.ready()`; `accounts/operations/privacy.py` runs them all.

- `erase(person) -> dict[str, int]` removes what the app holds of the person and counts it. It may run again after it
  was cut off: it works in batches, each in a transaction of its own.
- `export(person)` gives a value for JSON: what the app holds of the person, without the words of others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.module_loading import import_string


@dataclass(frozen=True)
class Handler:
    """What one app does about a person; the functions are found when they are first called."""

    name: str
    erase_path: str
    export_path: str

    @property
    def erase(self) -> Callable[[Any], dict[str, int]]:
        return import_string(self.erase_path)

    @property
    def export(self) -> Callable[[Any], Any]:
        return import_string(self.export_path)


_handlers: dict[str, Handler] = {}
_words: dict[tuple[str, str], str | Promise] = {}


def register(name: str, *, erase: str, export: str, counts: Mapping[str, str | Promise]) -> None:
    """Add an app's handler; the name heads its part of reports and exports. Registering it again replaces it.

    `counts` says in words what each number of its `erase` counts.
    """
    _handlers[name] = Handler(name, erase, export)
    _words.update({(name, what): words for what, words in counts.items()})


def in_words(report: Mapping[str, Mapping[str, int]]) -> list[tuple[str, int]]:
    """What a report counts, in words and without the noughts; in the order of the report."""
    return [
        (str(_words.get((name, what)) or what.replace("_", " ")), number)
        for name, counts in report.items()
        for what, number in counts.items()
        if number
    ]


def handlers() -> list[Handler]:
    """All handlers by name, accounts' own last: while the others work, the person can still be found through it."""
    return sorted(_handlers.values(), key=lambda handler: (handler.name == "accounts", handler.name))
