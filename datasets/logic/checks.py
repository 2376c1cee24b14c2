"""The rules about an answer that a case may carry: which types there are and what each may say (SC-58 to SC-82).

How a rule grades an answer belongs to scoring; here is only what may be saved.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.json_schemas import schema_problems
from core.json_values import in_order
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.reading_child import ReadingChild
from core.texts import Found, read_list, text_problems, wrong_type

Parameter = Callable[[Any], list[Problem]]


def read_checks(value: Any, child: ReadingChild) -> Found:
    """The checks with their keys in order; `child` reads patterns and schemas where they can do no harm."""
    return read_list(value, LIMITS.checks, lambda check: _check(check, child))


def check_in_order(check: dict[str, Any]) -> dict[str, Any]:
    """A check with `type` first and the other keys sorted (DS-139)."""
    return {"type": check["type"], **{key: in_order(check[key]) for key in sorted(check) if key != "type"}}


def _check(value: Any, child: ReadingChild) -> Found:
    if not isinstance(value, dict):
        return {}, [wrong_type(gettext_noop("A check is an object with a type, not %(type)s."), value)]
    kind = value.get("type")
    rule = RULES.get(kind) if isinstance(kind, str) else None
    if rule is None:
        text = gettext_noop("There is no check of this type; known are %(known)s.")
        return {}, [Problem("type", text, {"known": ", ".join(RULES)})]
    check = {key: part for key, part in value.items() if not (key == "path" and part in ("", None))}
    problems = [*_unknown(check, rule), *_wrong(check, rule)]
    if not problems:
        problems = [*rule.together(check), *rule.read(check, child)]
    return ({}, problems) if problems else (check_in_order(check), [])


def _unknown(check: dict[str, Any], rule: "Rule") -> list[Problem]:
    known = ("type", *rule.needed, *rule.optional)
    text = gettext_noop("A check of this type has no such parameter; it has %(known)s.")
    return [Problem(key, text, {"known": ", ".join(known)}) for key in check if key not in known]


def _wrong(check: dict[str, Any], rule: "Rule") -> list[Problem]:
    problems = [
        Problem(key, gettext_noop("A check of this type needs this.")) for key in rule.needed if key not in check
    ]
    for key, problems_of in {**rule.needed, **rule.optional}.items():
        if key in check:
            problems += [problem.under(key) for problem in problems_of(check[key])]
    return problems


# --- Parameters


def _text(limit: int, *, blank: bool = False) -> Parameter:
    def problems_of(value: Any) -> list[Problem]:
        if not isinstance(value, str):
            return [wrong_type(gettext_noop("This must be text, not %(type)s."), value)]
        if not (value if blank else value.strip()):
            return [Problem("", gettext_noop("This must not be empty."))]
        return text_problems(value, limit)

    return problems_of


def _path(value: Any) -> list[Problem]:
    if not isinstance(value, str):
        return [wrong_type(gettext_noop("This must be text, not %(type)s."), value)]
    problems = text_problems(value, LIMITS.check_path_characters)
    segments = value.replace("\\\\", "").replace("\\.", "").count(".") + 1
    if segments > LIMITS.check_path_segments:
        values = {"limit": LIMITS.check_path_segments, "count": segments}
        problems.append(Problem("", gettext_noop("At most %(limit)d segments; this has %(count)d."), values))
    return problems


def _boolean(value: Any) -> list[Problem]:
    return [] if isinstance(value, bool) else [Problem("", gettext_noop("This is true or false."))]


def _whole(least: int, most: int | None = None) -> Parameter:
    def problems_of(value: Any) -> list[Problem]:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= (most or value):
            return []
        if most is None:
            return [Problem("", gettext_noop("This is a whole number of at least %(least)d."), {"least": least})]
        values = {"least": least, "most": most}
        return [Problem("", gettext_noop("This is a whole number from %(least)d to %(most)d."), values)]

    return problems_of


def _amount(value: Any) -> list[Problem]:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf"):
        return []
    return [Problem("", gettext_noop("This is a number of at least 0."))]


def _unit(value: Any) -> list[Problem]:
    return [] if value in ("characters", "words") else [Problem("", gettext_noop("This is characters or words."))]


# --- What a parameter alone cannot show


def _nothing(_check: dict[str, Any]) -> list[Problem]:
    return []


def _unread(_check: dict[str, Any], _child: ReadingChild) -> list[Problem]:
    return []


def _bounds(check: dict[str, Any]) -> list[Problem]:
    if "min" not in check and "max" not in check:
        return [Problem("", gettext_noop("A length check needs min, max or both."))]
    if check.get("min", 0) > check.get("max", LIMITS.answer_characters):
        return [Problem("min", gettext_noop("This must not be more than max."))]
    return []


def _pattern(check: dict[str, Any], child: ReadingChild) -> list[Problem]:
    fault = child.read_pattern(check["value"], ignore_case=not check.get("case_sensitive", False))
    return [fault.under("value")] if fault else []


def _schema(check: dict[str, Any], child: ReadingChild) -> list[Problem]:
    problems = schema_problems(check["schema"])
    if not problems:
        fault = child.read_schema(check["schema"])
        problems = [fault] if fault else []
    return [problem.under("schema") for problem in problems]


@dataclass(frozen=True)
class Rule:
    """One type of check: its parameters, and what they must be together or read by the child."""

    needed: dict[str, Parameter]
    optional: dict[str, Parameter]
    together: Callable[[dict[str, Any]], list[Problem]] = _nothing
    read: Callable[[dict[str, Any], ReadingChild], list[Problem]] = _unread


def _any_schema(_value: Any) -> list[Problem]:
    return []


_VALUE = _text(LIMITS.check_value_characters)
_WHERE: dict[str, Parameter] = {"path": _path}
_HOW: dict[str, Parameter] = {"path": _path, "case_sensitive": _boolean}
_LENGTH = _whole(0, LIMITS.answer_characters)

RULES = {
    "contains": Rule({"value": _VALUE}, _HOW),
    "not_contains": Rule({"value": _VALUE}, _HOW),
    "equals": Rule({"value": _VALUE}, _HOW),
    "regex": Rule({"value": _text(LIMITS.pattern_characters, blank=True)}, _HOW, read=_pattern),
    "json_schema": Rule({"schema": _any_schema}, _WHERE, read=_schema),
    "max_cost_usd": Rule({"value": _amount}, {}),
    "max_latency_ms": Rule({"value": _whole(1)}, {}),
    "length": Rule({"unit": _unit}, {"min": _LENGTH, "max": _LENGTH, **_WHERE}, together=_bounds),
    "judge": Rule({"criterion": _text(LIMITS.criterion_characters)}, {}),
}
