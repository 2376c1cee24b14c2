"""The head of a comparison: what differs between two runs."""

from dataclasses import replace
from typing import Any

import pytest

from evals.logic.configurations import PARTS, Configuration, Difference, differing
from scoring.logic.pins import Pin
from scoring.logic.settings import DEFAULTS
from scoring.logic.settings_changes import completed

PIN = Pin("built_in", "j", 1, "openai", "judges-1", "c", 1, "i")
OTHER_SETTINGS = completed({"judge": {"pass_at": 3}, "checks": {"must_pass": False}})
ONE = Configuration("a", 3, "answers-1", 7, DEFAULTS, PIN)


@pytest.mark.spec("EV-D39")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ()),
        ({"agent_version": 4}, (Difference("agent_version", 3, 4),)),
        ({"model": "answers-2"}, (Difference("model", "answers-1", "answers-2"),)),
        ({"dataset_version": 8}, (Difference("dataset_version", 7, 8),)),
        ({"agent": "b"}, (Difference("agent", "a", "b"), Difference("agent_version", 3, 3))),
        (
            {"agent": None, "agent_version": None},
            (Difference("agent", "a", None), Difference("agent_version", 3, None)),
        ),
        ({"answers": "s"}, (Difference("answers", None, "s"),)),
        ({"settings": OTHER_SETTINGS}, (Difference("settings", fields=("checks.must_pass", "judge.pass_at")),)),
    ],
)
def test_what_differs_is_listed(changes: dict[str, Any], expected: tuple[Difference, ...]) -> None:
    assert differing(ONE, replace(ONE, **changes)) == expected


@pytest.mark.spec("EV-D39", "EV-D43", "EV-38")
def test_fields_of_the_judge_are_named() -> None:
    other = replace(PIN, judge_version=2, model="judges-2")
    assert differing(ONE, replace(ONE, pin=other)) == (Difference("pin", PIN, other, ("judge_version", "model")),)
    without = differing(ONE, replace(ONE, pin=None))
    assert [(one.part, len(one.fields)) for one in without] == [("pin", 6)]


def test_settings_kept_before_a_setting_existed_have_its_default() -> None:
    older = {name: value for name, value in DEFAULTS.items() if name != "review_by_person"}
    assert differing(replace(ONE, settings=older), ONE) == ()


def test_parts_are_in_their_order() -> None:
    other = Configuration("b", 1, "m", 1, OTHER_SETTINGS, None, "s")
    assert [one.part for one in differing(ONE, other)] == list(PARTS)
