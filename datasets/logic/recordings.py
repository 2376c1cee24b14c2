"""Recordings: datasets kept as files, the first cases as JSONL and the changes that followed in their order (PL-50)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What a change does; `find` names a case of the moment by its question.
EDIT, ADD, DELETE, IMPORT = "edit", "add", "delete", "import"


@dataclass(frozen=True)
class Recording:
    """One dataset: its details, the file of its first version, and what changed after it, oldest first.

    A change has `act`, the reason `why`, and what the act needs: `find` and `fields`, `case`, `find`, or `cases`.
    """

    name: str
    description: str
    visibility: str
    first: Path
    changes: tuple[dict[str, Any], ...]


def read_recordings(folder: Path) -> list[Recording]:
    """Every recording that the folder's `index.json` names, in its order."""
    return [_recording(folder, entry) for entry in _json(folder / "index.json")]


def _recording(folder: Path, entry: dict[str, str]) -> Recording:
    words = {name: entry[name] for name in ("name", "description", "visibility")}
    changes = tuple(_json(folder / f"{entry['file']}-history.json"))
    return Recording(first=folder / f"{entry['file']}.jsonl", changes=changes, **words)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
