"""Which settings make two gradings differ: those of rules and those of what a judge grades (SC-96, SC-D5)."""

import json
from typing import Any

import pytest

from scoring.logic.compared_answers import settings_keys
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed

pytestmark = pytest.mark.spec("SC-96", "SC-D5")
CRITERION = {"id": "c-1", "name": "Tone", "criterion": "Is it polite?", "required": True}
ALL_ON: dict[str, dict[str, Any]] = {
    "checks": {"defaults": [{"type": "contains", "value": "a"}]},
    "judge": {"enabled": True, "criteria": [CRITERION]},
    "reference_answer": {"enabled": True},
}


def keys(**changes: dict[str, Any]) -> tuple[str, str]:
    groups = {name: {**ALL_ON.get(name, {}), **changes.get(name, {})} for name in {*ALL_ON, *changes}}
    return settings_keys(Settings.of_json(completed(groups)))


@pytest.mark.parametrize(
    ("changes", "of_rules", "of_judge"),
    [
        ({"checks": {"must_pass": False}}, True, False),
        ({"checks": {"enabled": False}}, True, False),
        ({"checks": {"defaults": []}}, True, False),
        ({"tool_calls": {"must_pass": False}}, True, False),
        ({"tool_calls": {"enabled": False}}, True, False),
        ({"judge": {"must_pass": False}}, False, True),
        ({"judge": {"enabled": False}}, False, True),
        ({"judge": {"criteria": []}}, False, True),
        ({"judge": {"criteria": [{**CRITERION, "required": False}]}}, False, True),
        ({"judge": {"scale": 6}}, False, True),
        ({"judge": {"pass_at": 3}}, False, True),
        ({"reference_answer": {"must_pass": False}}, False, True),
        ({"reference_answer": {"enabled": False}}, False, True),
        ({"judge": {"instructions": "x", "model": "y", "agent": "z"}}, False, False),
    ],
)
def test_a_setting_changes_the_key_of_its_part_alone(changes: Any, of_rules: bool, of_judge: bool) -> None:
    rules, judged = keys()
    changed_rules, changed_judged = keys(**changes)
    assert (changed_rules != rules, changed_judged != judged) == (of_rules, of_judge)


@pytest.mark.parametrize(
    ("group", "unused"),
    [
        ("checks", {"must_pass": False, "defaults": []}),
        ("tool_calls", {"must_pass": False}),
        ("judge", {"must_pass": False, "criteria": []}),
        ("reference_answer", {"must_pass": False}),
    ],
)
def test_of_what_is_off_nothing_matters(group: str, unused: dict[str, Any]) -> None:
    assert keys(**{group: {"enabled": False}}) == keys(**{group: {"enabled": False, **unused}})


def test_a_key_says_what_it_stands_for() -> None:
    rules, judged = keys(checks={"must_pass": False}, reference_answer={"enabled": False})
    assert json.loads(rules) == {"checks": False, "tool_calls": True, "defaults": ALL_ON["checks"]["defaults"]}
    assert json.loads(judged) == {
        "judge": True,
        "reference_answer": None,
        "criteria": [CRITERION],
        "scale": 5,
        "pass_at": 4,
    }


def test_the_order_of_keys_in_a_check_does_not_matter() -> None:
    one, other = {"type": "contains", "value": "a"}, {"value": "a", "type": "contains"}
    assert keys(checks={"defaults": [one]}) == keys(checks={"defaults": [other]})
