"""What a change of grading settings may say and what it makes of the stored ones (SC-44 to SC-52, SC-D16 to SC-D19)."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from core.problems import Problem
from core.reading_child import ReadingChild
from scoring.logic.settings import DEFAULTS, Settings
from scoring.logic.settings_changes import completed, differences, merged, read_changes

CRITERION = {"id": "c-7f2a", "name": "Names the deadline", "criterion": "Does it name the deadline?", "required": True}
STORED = completed({"judge": {"enabled": True, "criteria": [CRITERION], "scale": 10, "pass_at": 7}})


@pytest.fixture(scope="module")
def child() -> Iterator[ReadingChild]:
    with ReadingChild() as one:
        yield one


@pytest.fixture
def change(child: ReadingChild) -> Any:
    numbers = count(1)

    def changed(raw: Any, stored: Any = STORED) -> tuple[Any, list[Problem]]:
        return merged(stored, read_changes(raw, child), lambda: f"c-{next(numbers):04x}")

    return changed


@pytest.fixture
def places(change: Any) -> Any:
    def of(raw: Any, stored: Any = STORED) -> list[str]:
        return [problem.field for problem in change(raw, stored)[1]]

    return of


def judge(**values: Any) -> dict[str, Any]:
    return {"judge": values}


def criteria(*entries: Any) -> dict[str, Any]:
    return judge(criteria=list(entries))


def named(name: str, **values: Any) -> dict[str, Any]:
    return {"name": name, "criterion": "Is it so?"} | values


@pytest.mark.spec("SC-D16")
def test_the_defaults_are_whole_and_valid(change: Any) -> None:
    assert change(dict(DEFAULTS), completed({})) == (completed({}), [])
    assert Settings.of_json(completed({})).pass_at == 4


@pytest.mark.spec("SC-49")
def test_what_is_left_out_keeps_its_value_at_any_depth(change: Any) -> None:
    settings, problems = change(judge(instructions="Be strict."))
    assert not problems
    assert settings == {**STORED, "judge": {**STORED["judge"], "instructions": "Be strict."}}
    assert change({}) == (STORED, [])


@pytest.mark.spec("SC-50")
def test_a_list_takes_the_place_of_the_stored_list(change: Any) -> None:
    one, two = {"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}
    stored = completed({"checks": {"defaults": [one]}})
    assert change({"checks": {"defaults": [two]}}, stored)[0]["checks"]["defaults"] == [two]
    assert change({"checks": {"defaults": []}}, stored)[0]["checks"]["defaults"] == []
    assert [one["name"] for one in change(criteria(named("New")))[0]["judge"]["criteria"]] == ["New"]


@pytest.mark.spec("SC-51", "SC-52")
def test_the_pass_mark_is_read_on_the_scale_that_holds_after_the_merge(change: Any, places: Any) -> None:
    assert change(judge(pass_at=8))[0]["judge"]["pass_at"] == 8
    assert places(judge(pass_at=8), completed({})) == ["judge.pass_at"]
    assert places(judge(scale=5)) == ["judge.pass_at"]
    assert places(judge(scale=5, pass_at=5)) == []


@pytest.mark.spec("SC-47")
def test_all_off_is_refused(places: Any) -> None:
    off = {name: {"enabled": False} for name in ("checks", "tool_calls", "judge", "reference_answer")}
    assert places(off) == [""]
    assert places(off | {"tool_calls": {"enabled": True}}) == []


@pytest.mark.spec("SC-48")
def test_the_judge_is_not_on_without_a_criterion(places: Any) -> None:
    assert places(criteria()) == ["judge.criteria"]
    assert places(judge(enabled=True), completed({})) == ["judge.criteria"]
    assert places(judge(enabled=False, criteria=[])) == []


@pytest.mark.spec("SC-D19")
def test_what_settings_say_together_is_not_asked_where_one_of_them_is_wrong_by_itself(places: Any) -> None:
    unset = completed({})
    assert places(judge(scale=5, pass_at="4")) == ["judge.pass_at"]
    assert places(judge(scale="5", pass_at=8), unset) == ["judge.scale"]
    assert places({"judge": "x"}, completed({"judge": {"pass_at": 9}})) == ["judge"]
    assert places(judge(enabled="yes", criteria=[])) == ["judge.enabled"]
    assert places(judge(enabled=True, criteria="x"), unset) == ["judge.criteria"]
    assert places(judge(enabled=True, criteria=["x"]), unset) == ["judge.criteria.0"]
    off = {name: {"enabled": False} for name in ("checks", "tool_calls", "judge", "reference_answer")}
    for name in off:
        assert places(off | {name: {"enabled": "no"}}, completed(off)) == [f"{name}.enabled"]
    assert places(off | {"review_by_person": "some"}) == ["review_by_person", ""]


@pytest.mark.spec("SC-47", "SC-48", "SC-51", "SC-D18")
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (judge(pass_at=8), "The pass mark is at most the scale, which is 5."),
        (judge(enabled=True), "The judge needs at least one criterion while it is on."),
        ({name: {"enabled": False} for name in ("checks", "tool_calls")}, "At least one way of grading must be on."),
        ({"checks": "on"}, "This must be an object, not text."),
        ([], "This must be an object, not a list."),
        (
            {"jugde": {}},
            "There is no field of this name here; known are checks, tool_calls, judge, reference_answer, "
            "review_by_person.",
        ),
    ],
)
def test_a_refusal_says_why(change: Any, raw: Any, words: str) -> None:
    (problem,) = change(raw, completed({}))[1]
    assert problem.text % problem.values == words


@pytest.mark.spec("SC-49", "RV-37")
def test_a_setting_outside_the_groups_is_changed_too(change: Any) -> None:
    assert change({"review_by_person": "all"}) == ({**STORED, "review_by_person": "all"}, [])
    assert completed({"review_by_person": "all"})["review_by_person"] == "all"


@pytest.mark.spec("SC-D19")
def test_beside_a_wrong_value_the_others_are_read(change: Any) -> None:
    settings, problems = change({"judge": {"scale": 11, "instructions": "Be strict."}, "review_by_person": "all"})
    assert [problem.field for problem in problems] == ["judge.scale"]
    assert (settings["judge"]["scale"], settings["judge"]["instructions"]) == (10, "Be strict.")
    assert settings["review_by_person"] == "all"


@pytest.mark.spec("SC-D17")
def test_the_id_of_a_stored_criterion_goes_to_one_criterion_only(change: Any) -> None:
    same = {key: CRITERION[key] for key in ("name", "criterion")}
    taken = change(criteria({**CRITERION, "name": "Other"}, same))[0]["judge"]["criteria"]
    assert [one["id"] for one in taken] == ["c-7f2a", "c-0001"]
    other_words = change(criteria({**same, "criterion": "Is it so?"}))[0]["judge"]["criteria"]
    assert [one["id"] for one in other_words] == ["c-0002"]


@pytest.mark.spec("SC-D18")
def test_unknown_keys_are_named(places: Any) -> None:
    raw = {"jugde": {}, "checks": {"enable": True}, "judge": {"criteria": [named("A", requierd=True)]}}
    assert places(raw) == ["jugde", "checks.enable", "judge.criteria.0.requierd"]


@pytest.mark.spec("SC-D18")
def test_each_problem_has_its_own_place(places: Any) -> None:
    broken = {"type": "regex", "value": "("}
    raw = {
        "checks": {"enabled": "yes", "defaults": [{"type": "contains", "value": "a"}, {"type": "nothing"}, broken]},
        "judge": {"scale": 11, "criteria": [{"name": ""}]},
    }
    assert places(raw) == [
        "checks.enabled",
        "checks.defaults.1.type",
        "checks.defaults.2.value",
        "judge.criteria.0.name",
        "judge.criteria.0.criterion",
        "judge.scale",
    ]


@pytest.mark.spec("SC-D23")
def test_a_criterion_for_the_judge_is_no_default_check(places: Any) -> None:
    kept = {"type": "length", "unit": "words", "max": 5}
    assert places({"checks": {"defaults": [kept, {"type": "judge", "criterion": "x"}]}}) == ["checks.defaults.1.type"]
    assert places({"checks": {"defaults": [{"type": "judge"}]}}) == ["checks.defaults.0.type"]


@pytest.mark.spec("SC-D17")
@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (judge(scale=1), "judge.scale"),
        (judge(scale=11), "judge.scale"),
        (judge(scale=True), "judge.scale"),
        (judge(scale=5.0), "judge.scale"),
        (judge(pass_at=1), "judge.pass_at"),
        (judge(pass_at="4"), "judge.pass_at"),
        (judge(instructions="x" * 20_001), "judge.instructions"),
        (judge(instructions=None), "judge.instructions"),
        (judge(instructions="\x00"), "judge.instructions"),
        (judge(model="gpt"), "judge.model"),
        (judge(agent=7), "judge.agent"),
        (criteria(*[named(str(number)) for number in range(21)]), "judge.criteria"),
        (judge(criteria=None), "judge.criteria"),
        (criteria("words"), "judge.criteria.0"),
        (criteria(named("x" * 81)), "judge.criteria.0.name"),
        (criteria(named("  ")), "judge.criteria.0.name"),
        (criteria(named("Counter-Example")), "judge.criteria.0.name"),
        (criteria(named("reference-answer")), "judge.criteria.0.name"),
        (criteria(named("A", criterion="x" * 1001)), "judge.criteria.0.criterion"),
        (criteria(named("A", required="yes")), "judge.criteria.0.required"),
        (criteria(named("A", id="mine")), "judge.criteria.0.id"),
        (criteria(named("Tone"), named("TONE")), "judge.criteria.1.name"),
        (criteria(named("A", id="c-1234"), named("B", id="c-1234")), "judge.criteria.1.id"),
        ({"checks": {"defaults": [{"type": "contains", "value": "a"}] * 21}}, "checks.defaults"),
        ({"checks": {"defaults": "none"}}, "checks.defaults"),
        ({"checks": None}, "checks"),
        ({"review_by_person": "some"}, "review_by_person"),
        ([], ""),
    ],
)
def test_a_value_beyond_its_limits_is_refused_at_its_place(places: Any, raw: Any, place: str) -> None:
    assert places(raw) == [place]


def test_the_largest_values_are_taken(change: Any) -> None:
    full = [named(f"{number}".ljust(80, "x"), criterion="x" * 1000) for number in range(20)]
    checks = [{"type": "contains", "value": f"{number}"} for number in range(20)]
    raw = {"checks": {"defaults": checks}, "judge": {"scale": 10, "instructions": "x" * 20_000, "criteria": full}}
    assert change(raw)[1] == []


@pytest.mark.spec("SC-D17")
def test_a_criterion_keeps_its_id_when_it_is_sent_back(change: Any) -> None:
    renamed = {**CRITERION, "name": "Says by when"}
    kept = change(criteria(renamed, named("New")))[0]["judge"]["criteria"]
    assert [one["id"] for one in kept] == ["c-7f2a", "c-0001"]


def test_sending_the_same_criteria_without_ids_changes_nothing(change: Any) -> None:
    sent = {key: CRITERION[key] for key in ("name", "criterion")}
    assert change(criteria(sent))[0] == STORED


def test_a_criterion_that_is_not_required_says_so_and_the_others_are(change: Any) -> None:
    kept = change(criteria(named("A", required=False), named("B")))[0]["judge"]["criteria"]
    assert [one["required"] for one in kept] == [False, True]


@pytest.mark.spec("SC-D21")
def test_credentials_are_hidden_before_anything_is_kept(change: Any) -> None:
    key = "sk-proj-" + "Ab1" * 16
    raw = {
        "checks": {"defaults": [{"type": "not_contains", "value": key}]},
        "judge": {"instructions": f"Never show {key}.", "criteria": [named("A", criterion=f"Does it hide {key}?")]},
    }
    settings, problems = change(raw)
    assert not problems
    assert key not in str(settings)


@pytest.mark.spec("SC-D21")
def test_differences_name_each_setting_with_both_values() -> None:
    after = {**STORED, "judge": {**STORED["judge"], "pass_at": 8}, "review_by_person": "all"}
    assert [(one.key, one.old, one.new) for one in differences(STORED, after)] == [
        ("judge.pass_at", 7, 8),
        ("review_by_person", "none", "all"),
    ]
    assert differences(STORED, STORED) == []
    typed = {**STORED, "checks": {**STORED["checks"], "defaults": [{"max": 1}]}}
    float_typed = {**STORED, "checks": {**STORED["checks"], "defaults": [{"max": 1.0}]}}
    assert [one.key for one in differences(typed, float_typed)] == ["checks.defaults"]
