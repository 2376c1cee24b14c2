"""Many answers at once: what one check costs is its own result and nothing else (SC-4, SC-8, SC-80)."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import RULES, CheckRunner, grade_checks, grade_checks_of_many
from scoring.logic.findings import Origin, Verdict
from scoring.logic.text_rules import Contains
from tests.scoring.logic.graded import Json, as_checks, said, verdicts

ENDLESS = {"type": "regex", "value": "^(a|aa)+$"}
BOMB = {"type": "json_schema", "schema": {"$defs": {}, "$ref": "#/$defs/d0"}}
for number in range(40):
    BOMB["schema"]["$defs"][f"d{number}"] = {"anyOf": [{"$ref": f"#/$defs/d{number + 1}"}] * 2}
BOMB["schema"]["$defs"]["d40"] = False
HUGE = {"type": "regex", "value": "(((a{100}){100}){100}){100}"}
ORDINARY = [
    {"type": "contains", "value": "kettle"},
    {"type": "not_contains", "value": "sorry"},
    {"type": "regex", "value": r"\d+ days"},
    {"type": "json_schema", "schema": {"type": "object", "required": ["a"]}},
    {"type": "length", "unit": "words", "max": 5},
]
GOOD = '{"a": "Kettle, 30 days"}'


@pytest.mark.spec("SC-79", "SC-80", "SC-D29", "BC-10", "BC-31", "BC-32")
def test_of_a_thousand_answers_the_bad_ones_cost_their_own_results_only(runner: CheckRunner) -> None:
    ordinary = as_checks(*ORDINARY)
    items = [(GradedAnswer(GOOD), ordinary) for _ in range(1_000)]
    items[100] = (GradedAnswer("a" * 60 + "b"), as_checks(*ORDINARY[:2], ENDLESS, *ORDINARY[3:]))
    items[200] = (GradedAnswer(GOOD), as_checks(*ORDINARY[:3], BOMB, *ORDINARY[4:]))
    items[300] = (GradedAnswer("[" * 5_000), ordinary)
    items[400] = (GradedAnswer('{"a": ' + "1" * 5_000 + "}"), ordinary)
    items[500] = (GradedAnswer(GOOD), as_checks(*ORDINARY[:2], HUGE, *ORDINARY[3:]))
    items[600] = (GradedAnswer("\ud800"), ordinary)
    items[700] = (GradedAnswer(GOOD), as_checks({"type": "contains"}, *ORDINARY[1:]))
    items[800] = (GradedAnswer(GOOD), as_checks({"type": "nope"}, *ORDINARY[1:]))
    found = [verdicts(findings) for findings in grade_checks_of_many(runner, items)]
    good = ["pass"] * 5
    assert {place: one for place, one in enumerate(found) if one != good} == {
        100: ["fail", "pass", "error", "fail", "pass"],
        200: ["pass", "pass", "pass", "error", "pass"],
        300: ["fail", "pass", "fail", "error", "pass"],
        400: ["fail", "pass", "fail", "error", "pass"],
        500: ["pass", "pass", "error", "pass", "pass"],
        600: ["fail", "pass", "fail", "fail", "pass"],
        700: ["error", "pass", "pass", "pass", "pass"],
        800: ["error", "pass", "pass", "pass", "pass"],
    }


def test_a_check_that_cannot_be_read_says_so(runner: CheckRunner) -> None:
    broken: list[object] = [
        {"type": "contains"},
        {"type": "nope", "value": "a"},
        {},
        None,
        {"type": ["contains"]},
        {"type": "length", "unit": "words"},
        {"type": "max_cost_usd", "value": "a lot"},
        {"type": "contains", "value": 3},
    ]
    findings = grade_checks(runner, GradedAnswer("a"), as_checks(*broken))  # type: ignore[arg-type]
    assert {finding.verdict for finding in findings} == {Verdict.ERROR}
    assert {said(finding) for finding in findings} == {"This check cannot be read"}
    assert [finding.id for finding in findings] == [f"check-{place}" for place in range(1, 9)]
    assert {finding.origin for finding in findings} == {Origin.CASE_CHECK}
    assert [finding.about for finding in findings] == [{} if check is None else check for check in broken]
    assert [finding.name for finding in findings[:4]] == ["contains", "nope", "", ""]


def test_a_check_is_made_ready_once_for_all_answers_and_anew_for_another_id_or_origin(
    runner: CheckRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, Origin]] = []

    class Counted(Contains):
        def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
            made.append((finding_id, origin))
            super().__init__(finding_id, origin, check)

    monkeypatch.setitem(RULES, "contains", Counted)
    case, given = ("check-1", Origin.CASE_CHECK, ORDINARY[0]), ("default-1", Origin.DEFAULT_CHECK, ORDINARY[0])
    other = ("check-1", Origin.CASE_CHECK, {**ORDINARY[0]})
    grade_checks_of_many(runner, [(GradedAnswer(GOOD), [case, given])] * 3 + [(GradedAnswer("x"), [other])])
    assert made == [case[:2], given[:2], other[:2]]


@pytest.mark.spec("SC-4")
def test_a_check_that_stands_there_twice_has_a_finding_at_each_place(runner: CheckRunner) -> None:
    findings = grade_checks(runner, GradedAnswer(GOOD), as_checks(ORDINARY[0], ORDINARY[0]))
    assert [finding.id for finding in findings] == ["check-1", "check-2"]


def test_patterns_and_schemas_answer_in_the_place_of_their_checks(runner: CheckRunner) -> None:
    many = [
        {"type": "regex", "value": "^K"},
        {"type": "contains", "value": "kettle"},
        {"type": "regex", "value": "^K", "path": "a"},
        {"type": "regex", "value": "K", "path": "b"},
        {"type": "json_schema", "schema": {"type": "string"}, "path": "a"},
        {"type": "json_schema", "schema": {"type": "string"}},
        {"type": "regex", "value": "^[{]"},
    ]
    findings = grade_checks(runner, GradedAnswer(GOOD), as_checks(*many))
    assert verdicts(findings) == ["fail", "pass", "pass", "fail", "pass", "fail", "pass"]
    assert said(findings[3]) == "The answer has nothing at b"
    assert [finding.about for finding in findings] == many


def test_a_judge_check_is_refused(runner: CheckRunner) -> None:
    with pytest.raises(ValueError, match=r"^a check of type judge is graded by the judge$"):
        grade_checks(runner, GradedAnswer("a"), as_checks({"type": "judge", "criterion": "It refuses."}))


def test_nothing_to_grade_finds_nothing(runner: CheckRunner) -> None:
    assert grade_checks(runner, GradedAnswer("a"), []) == ()
    assert grade_checks_of_many(runner, []) == []


@pytest.mark.spec("SC-4")
def test_the_same_check_of_case_and_dataset_gives_two_findings(runner: CheckRunner) -> None:
    check = ORDINARY[0]
    asked = [("check-1", Origin.CASE_CHECK, check), ("default-1", Origin.DEFAULT_CHECK, check)]
    findings = grade_checks(runner, GradedAnswer(GOOD), asked)
    assert [(finding.id, finding.origin) for finding in findings] == [
        ("check-1", Origin.CASE_CHECK),
        ("default-1", Origin.DEFAULT_CHECK),
    ]
    swapped = [("check-1", Origin.DEFAULT_CHECK, check)]
    both = grade_checks_of_many(runner, [(GradedAnswer(GOOD), asked[:1]), (GradedAnswer(GOOD), swapped)])
    assert [findings[0].origin for findings in both] == [Origin.CASE_CHECK, Origin.DEFAULT_CHECK]


answers = st.sampled_from([GOOD, "{}", "kettle", "```\n{}\n```", "[1, 2]", "", "sorry, 3 days", '{"a": {"b": [1.50]}}'])
checks = st.lists(
    st.sampled_from(
        [
            *ORDINARY,
            {"type": "equals", "path": "a.b.0", "value": "1.50"},
            {"type": "regex", "path": "a", "value": "^K"},
            {"type": "json_schema", "path": "a.b", "schema": {"maxItems": 1}},
        ]
    ),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(items=st.lists(st.tuples(answers, checks), max_size=12))
def test_many_at_once_find_what_each_alone_finds(runner: CheckRunner, items: list[tuple[str, list[Json]]]) -> None:
    asked = [(GradedAnswer(text), as_checks(*some)) for text, some in items]
    assert grade_checks_of_many(runner, asked) == [grade_checks(runner, *one) for one in asked]


@pytest.mark.spec("SC-8", "BC-32")
def test_the_child_can_open_neither_file_nor_connection() -> None:
    with CheckRunner() as own:
        grade_checks(own, GradedAnswer("{}"), as_checks(ORDINARY[3]))
        process = own.child._process
        assert process is not None
        limits = open(f"/proc/{process.pid}/limits").read().splitlines()  # noqa: SIM115
        environment = open(f"/proc/{process.pid}/environ").read()  # noqa: SIM115
    assert next(line for line in limits if line.startswith("Max open files")).split()[3:5] == ["3", "3"]
    assert next(line for line in limits if line.startswith("Max address space")).split()[3] == str(256 * 1024 * 1024)
    assert "KEY" not in environment


def test_no_process_starts_where_no_check_needs_one_and_none_is_left_behind() -> None:
    with CheckRunner() as own:
        grade_checks(own, GradedAnswer("a"), as_checks(ORDINARY[0], ORDINARY[4]))
        assert own.child._process is None
        grade_checks(own, GradedAnswer("a"), as_checks(ORDINARY[2]))
        process = own.child._process
        assert process is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


@pytest.mark.spec("SC-80")
def test_large_answers_do_not_stop_the_exchange(runner: CheckRunner) -> None:
    text = json.dumps({"a": "é" * 90_000}, ensure_ascii=False)
    items = [(GradedAnswer(text), as_checks(*ORDINARY[2:4])) for _number in range(60)]
    items[7] = (GradedAnswer(text[:-1]), items[7][1])
    found = [verdicts(findings) for findings in grade_checks_of_many(runner, items)]
    assert found == [["fail", "fail" if number == 7 else "pass"] for number in range(60)]
