"""JSON from outside: what can be stored, how deep it may be, the one order of its keys (DS-139, DS-140, DS-D49)."""

import json
from typing import Any

from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import UNSTORABLE, too_long, unstorable

# Made once: json.dumps makes an encoder for each call that asks for anything but its defaults.
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def in_order(value: Any) -> Any:
    """The same value with the keys of every object sorted, at every depth."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [in_order(item) for item in value]
    return value


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1, 1.0 and true differ, which `==` does not see; the order of keys does not
    matter. Nor does what a database makes of a number: PostgreSQL gives 1e16 back as a whole number, and -0.0 as 0.0.
    """
    return json.dumps(_as_stored(one), sort_keys=True) == json.dumps(_as_stored(other), sort_keys=True)


def _as_stored(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) >= 1e16 else abs(value) if value == 0 else value
    if isinstance(value, dict):
        return {key: _as_stored(inner) for key, inner in value.items()}
    return [_as_stored(inner) for inner in value] if isinstance(value, list | tuple) else value


def compact(value: Any) -> str:
    """JSON without spaces, letters as they are."""
    return _compact.encode(value)


def json_problems(value: Any, limit: int) -> list[Problem]:
    """Why the value cannot be stored: nesting, characters, numbers, or its size as JSON."""
    if deeper_than(value, LIMITS.json_depth):
        return [Problem("", gettext_noop("The nesting is deeper than %(limit)d levels."), {"limit": LIMITS.json_depth})]
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError):
        return [Problem("", gettext_noop("A number here is none that JSON has."))]
    problems = [unstorable()] if UNSTORABLE.search(text) or ("\\u0000" in text and has_nul(value)) else []
    return [*problems, too_long(limit, len(text))] if len(text) > limit else problems


def deeper_than(value: Any, levels: int) -> bool:
    """Whether lists and objects nest deeper than `levels`."""
    layer = [value]
    for _level in range(levels):
        layer = [inner for item in layer for inner in _inside(item)]
        if not layer:
            return False
    return any(isinstance(item, dict | list) for item in layer)


def has_nul(value: Any) -> bool:
    """Whether any string of the value, keys included, holds U+0000."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict) and any("\x00" in key for key in value):
        return True
    return any(has_nul(inner) for inner in _inside(value))


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
