"""What two specifications of an agent have in different, as rows: field, before, after (PL-21)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from agents.logic.specs import ModelSpec, Spec, ToolSpec


@dataclass(frozen=True)
class Change:
    """One field that differs, both sides as text, None where it is not there.

    `field` is its name, `tools.<name>.<field>` for a part of a tool, `tools.<name>` for a whole one that came or went,
    `tools` for their order, `skills.<id>` and `knowledge.<id>` for one of those.
    """

    field: str
    before: str | None
    after: str | None


LISTS = ("tools", "skills", "knowledge")


def difference(before: Spec, after: Spec) -> list[Change]:
    """The rows in the order of the fields; none where both say the same. Both are of one kind."""
    plain = [field.name for field in fields(after) if field.name not in LISTS]
    rows = [*_differing(before, after, plain), *_tools(before.tools, after.tools)]
    if isinstance(before, ModelSpec) and isinstance(after, ModelSpec):
        rows += _items("skills", _skills(before), _skills(after))
        rows += _items("knowledge", dict.fromkeys(before.knowledge, ""), dict.fromkeys(after.knowledge, ""))
    return rows


def _differing(before: Any, after: Any, names: list[str], under: str = "") -> Iterator[Change]:
    for name in names:
        old, new = as_text(getattr(before, name)), as_text(getattr(after, name))
        if old != new:
            yield Change(f"{under}{name}", old, new)


def _tools(before: tuple[ToolSpec, ...], after: tuple[ToolSpec, ...]) -> Iterator[Change]:
    old, new = {tool.name: tool for tool in before}, {tool.name: tool for tool in after}
    names = [field.name for field in fields(ToolSpec) if field.name != "name"]
    for name in (*old, *(name for name in new if name not in old)):
        if name in old and name in new:
            yield from _differing(old[name], new[name], names, f"tools.{name}.")
        else:
            yield Change(f"tools.{name}", _whole(old.get(name), names), _whole(new.get(name), names))
    kept_before, kept_after = [name for name in old if name in new], [name for name in new if name in old]
    if kept_before != kept_after:
        yield Change("tools", "\n".join(kept_before), "\n".join(kept_after))


def _whole(tool: ToolSpec | None, names: list[str]) -> str | None:
    if tool is None:
        return None
    said = ((name, as_text(getattr(tool, name))) for name in names)
    return "\n".join(f"{name}: {text}" for name, text in said if text)


def _skills(spec: ModelSpec) -> dict[str, str]:
    return {skill.id: f"{skill.name}\n\n{skill.text}".strip() for skill in spec.skills}


def _items(field: str, old: dict[str, str], new: dict[str, str]) -> Iterator[Change]:
    for key in (*old, *(key for key in new if key not in old)):
        if old.get(key) != new.get(key):
            yield Change(f"{field}.{key}", old.get(key), new.get(key))


def as_text(value: Any) -> str:
    """A value as people compare it: JSON on lines of its own, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and not value:
        return ""
    return json.dumps(value, ensure_ascii=False, indent=2)
