"""Changes of grading settings: what a body names is read by itself, then merged into the settings that are stored.

What is left out keeps its value at any depth, and a list takes the place of the stored list (SC-49, SC-50). Only what
several settings say together is asked after the merge (SC-47, SC-48, SC-51). The limits are those of SC-D17.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.json_values import same_json
from core.problems import Problem, gettext_noop
from core.reading_child import ReadingChild
from core.texts import unknown_keys, wrong_type
from scoring.logic.settings import DEFAULTS, Json
from scoring.logic.settings_values import (
    read_agent,
    read_criteria,
    read_default_checks,
    read_flag,
    read_instructions,
    read_model,
    read_pass_mark,
    read_review,
    read_scale,
)

Shape = Mapping[str, Any]

_SWITCHES: Shape = {"enabled": read_flag, "must_pass": read_flag}
SHAPE: Shape = {
    "checks": {**_SWITCHES, "defaults": read_default_checks},
    "tool_calls": _SWITCHES,
    "judge": {
        **_SWITCHES,
        "agent": read_agent,
        "model": read_model,
        "instructions": read_instructions,
        "criteria": read_criteria,
        "scale": read_scale,
        "pass_at": read_pass_mark,
    },
    "reference_answer": _SWITCHES,
    "review_by_person": read_review,
}
EVALUATORS = tuple(name for name in SHAPE if name != "review_by_person")

ALL_OFF = gettext_noop("At least one way of grading must be on.")
NO_CRITERION = gettext_noop("The judge needs at least one criterion while it is on.")
MARK_ABOVE_SCALE = gettext_noop("The pass mark is at most the scale, which is %(scale)d.")


@dataclass(frozen=True)
class Changes:
    """What a body names, each value in the form in which it is stored; `problems` name what is wrong by itself."""

    values: Json
    problems: tuple[Problem, ...] = ()

    def spoil(self, *paths: str) -> bool:
        """Whether one of the settings could not be read: something in it, or what it stands in, is wrong."""
        wrong = [f"{problem.field}." if problem.field else "" for problem in self.problems]
        return any(f"{path}.".startswith(place) or place.startswith(f"{path}.") for place in wrong for path in paths)


@dataclass(frozen=True)
class Difference:
    """One setting that a change gave another value; `key` is its path, such as `judge.pass_at`."""

    key: str
    old: Any = field(default=None)
    new: Any = field(default=None)


def read_changes(raw: Any, child: ReadingChild) -> Changes:
    """What the body names, checked as far as each value can be by itself; an unknown key is named (SC-D18).

    `child` reads the patterns and schemas of default checks, which may take a second each.
    """
    values, problems = _read(raw, SHAPE, child)
    return Changes(values, tuple(problems))


def merged(stored: Json, changes: Changes, new_id: Callable[[], str]) -> tuple[Json, list[Problem]]:
    """The stored settings with the changes, and everything that is wrong; nothing may be saved then (SC-D19).

    `new_id` makes the id of a criterion that has none yet. One that repeats name and words of a stored criterion keeps
    that one's id, so that sending the same settings twice changes nothing.
    """
    result = _laid_over(stored, changes.values)
    if "criteria" in changes.values.get("judge", {}):
        result["judge"]["criteria"] = _with_ids(result["judge"]["criteria"], stored["judge"]["criteria"], new_id)
    return result, [*changes.problems, *_together(result, changes)]


def completed(stored: Mapping[str, Any]) -> Json:
    """Stored settings in the present shape: a setting that was not there when they were saved has its default."""
    return _laid_over(DEFAULTS, stored)


def differences(before: Json, after: Json) -> list[Difference]:
    """Which settings differ, lists as a whole, in the order of the shape (SC-D21)."""
    found = []
    for name, shape in SHAPE.items():
        keys = [f"{name}.{key}" for key in shape] if isinstance(shape, Mapping) else [name]
        found += [Difference(key, _at(before, key), _at(after, key)) for key in keys]
    return [one for one in found if not same_json(one.old, one.new)]


def _at(settings: Json, path: str) -> Any:
    group, dot, key = path.partition(".")
    return settings[group][key] if dot else settings[group]


def _read(raw: Any, shape: Shape, child: ReadingChild) -> tuple[Json, list[Problem]]:
    if not isinstance(raw, dict):
        return {}, [wrong_type(gettext_noop("This must be an object, not %(type)s."), raw)]
    values: Json = {}
    problems = list(unknown_keys(raw, tuple(shape)))
    for name, inner in shape.items():
        if name not in raw:
            continue
        found, wrong = _read(raw[name], inner, child) if isinstance(inner, Mapping) else inner(raw[name], child)
        problems += [problem.under(name) for problem in wrong]
        if not wrong or isinstance(inner, Mapping):
            values[name] = found
    return values, problems


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> Json:
    """`below` with the values of `above`, group by group; a list is one value."""
    return {
        name: {**value, **above.get(name, {})} if isinstance(value, Mapping) else above.get(name, value)
        for name, value in below.items()
    }


def _with_ids(criteria: Iterable[Json], stored: Iterable[Json], new_id: Callable[[], str]) -> list[Json]:
    sent = list(criteria)
    taken = {criterion["id"] for criterion in sent if criterion["id"]}
    known = {(one["name"], one["criterion"]): one["id"] for one in stored if one["id"] not in taken}
    return [
        criterion
        if criterion["id"]
        else {**criterion, "id": known.pop((criterion["name"], criterion["criterion"]), None) or new_id()}
        for criterion in sent
    ]


def _together(settings: Json, changes: Changes) -> list[Problem]:
    """What no setting says alone; not asked where what it rests on is wrong already."""
    judge, problems = settings["judge"], []
    if judge["pass_at"] > judge["scale"] and not changes.spoil("judge.scale", "judge.pass_at"):
        problems.append(Problem("judge.pass_at", MARK_ABOVE_SCALE, {"scale": judge["scale"]}))
    if judge["enabled"] and not judge["criteria"] and not changes.spoil("judge.enabled", "judge.criteria"):
        problems.append(Problem("judge.criteria", NO_CRITERION))
    switches = [f"{name}.enabled" for name in EVALUATORS]
    if not any(settings[name]["enabled"] for name in EVALUATORS) and not changes.spoil(*switches):
        problems.append(Problem("", ALL_OFF))
    return problems
