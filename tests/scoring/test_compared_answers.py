"""What became of a case from one set of answers to another."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from scoring.logic.compared_answers import Answered, ComparedAnswer, Difference, Standing, compared, settings_keys
from scoring.logic.settings import DEFAULTS, Settings

CASE = uuid4()


def answered(outcome: str, **changed: object) -> Answered:
    found = Answered(CASE, uuid4(), outcome, 1, "rules", "judged", "pin")
    return replace(found, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "standing"),
    [
        ("fail", "pass", Standing.IMPROVED),
        ("pass", "fail", Standing.WORSE),
        ("pass", "pass", Standing.SAME),
        ("fail", "fail", Standing.SAME),
        ("unscored", "pass", Standing.UNDECIDED),
        ("pass", "unscored", Standing.UNDECIDED),
        ("unscored", "unscored", Standing.UNDECIDED),
        ("", "pass", Standing.UNDECIDED),
    ],
)
@pytest.mark.spec("SC-14", "BC-28")
def test_only_two_verdicts_make_a_case_better_or_worse(before: str, after: str, standing: Standing) -> None:
    assert ComparedAnswer(CASE, answered(before), answered(after)).standing is standing


def test_a_case_of_one_set_alone_is_neither() -> None:
    assert ComparedAnswer(CASE, answered("pass"), None).standing is Standing.ALONE
    assert ComparedAnswer(CASE, None, answered("pass")).differences == ()


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"revision": 2}, Difference.CASE),
        ({"rules": "other"}, Difference.SETTINGS),
        ({"judged": "other"}, Difference.SETTINGS),
        ({"pin": "other"}, Difference.JUDGE),
    ],
)
@pytest.mark.spec("SC-96", "SC-D5")
def test_what_was_graded_differently_is_not_compared(changed: dict[str, object], difference: Difference) -> None:
    one = ComparedAnswer(CASE, answered("fail"), answered("pass", **changed))
    assert one.standing is Standing.NOT_COMPARABLE
    assert one.differences == (difference,)


def test_what_a_judge_would_have_read_does_not_matter_where_none_graded() -> None:
    one = ComparedAnswer(CASE, answered("fail", pin=""), answered("pass", pin="", judged="other"))
    assert one.standing is Standing.IMPROVED


def test_an_answer_that_needed_no_judge_is_comparable_with_one_that_did() -> None:
    assert ComparedAnswer(CASE, answered("fail", pin=""), answered("pass")).standing is Standing.IMPROVED


def test_the_worst_come_first() -> None:
    ids = [UUID(int=number) for number in range(1, 5)]
    before = {ids[0]: answered("pass"), ids[1]: answered("fail"), ids[2]: answered("pass"), ids[3]: answered("pass")}
    after = {ids[0]: answered("pass"), ids[1]: answered("pass"), ids[2]: answered("fail")}
    assert [one.case_id for one in compared(before, after)] == [ids[2], ids[1], ids[3], ids[0]]


def settings_with(**changed: dict[str, object]) -> tuple[str, str]:
    stored = {
        key: {**value, **changed.get(key, {})} if isinstance(value, dict) else value for key, value in DEFAULTS.items()
    }
    return settings_keys(Settings.of_json(stored))


def test_settings_that_are_off_make_no_difference() -> None:
    assert settings_with(judge={"pass_at": 4, "criteria": [], "model": "x", "instructions": "y"}) == settings_with()
    off = settings_with(checks={"enabled": False, "defaults": []})
    assert off == settings_with(checks={"enabled": False, "must_pass": False, "defaults": [{"type": "contains"}]})
    assert off != settings_with()


def test_each_part_of_the_settings_has_its_own_key() -> None:
    rules, judged = settings_with()
    assert settings_with(checks={"defaults": [{"type": "contains", "value": "a"}]}) != (rules, judged)
    assert settings_with(tool_calls={"must_pass": False})[1] == judged
    criteria = [{"id": "c-1", "name": "n", "criterion": "c", "required": True}]
    changed = settings_with(judge={"enabled": True, "criteria": criteria})
    assert changed[0] == rules
    assert changed[1] != judged
