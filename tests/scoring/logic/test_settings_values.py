"""What each reader of a grading setting makes of a value, and in which words it refuses one (SC-D1, SC-D17, SC-D23)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.reading_child import ReadingChild
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

Reader = Callable[[Any, ReadingChild], Any]
AN_ID = "0190f5a4-7d7e-7c3a-9d3e-2f6b8c1d4e5f"
KEY = "sk-proj-" + "Ab1" * 16


@pytest.fixture(scope="module")
def child() -> Iterator[ReadingChild]:
    with ReadingChild() as one:
        yield one


@pytest.fixture
def read(child: ReadingChild) -> Any:
    """The value as it is stored, and each problem as its place and its sentence."""

    def by(reader: Reader, value: Any) -> tuple[Any, list[tuple[str, str]]]:
        found, problems = reader(value, child)
        return found, [(problem.field, problem.text % problem.values) for problem in problems]

    return by


@pytest.mark.spec("SC-D1", "SC-D17", "RV-37")
@pytest.mark.parametrize(
    ("reader", "value", "stored"),
    [
        (read_flag, True, True),
        (read_flag, False, False),
        (read_review, "none", "none"),
        (read_review, "not_passed", "not_passed"),
        (read_scale, 2, 2),
        (read_scale, 10, 10),
        (read_pass_mark, 2, 2),
        (read_pass_mark, 10, 10),
        (read_agent, None, None),
        (read_agent, AN_ID.upper(), AN_ID),
        (read_model, None, None),
        (read_model, AN_ID, AN_ID),
        (read_instructions, "", ""),
        (read_instructions, "a\r\nb\rc\nd", "a\nb\nc\nd"),
        (read_instructions, f"Never show {KEY}.", "Never show [redacted:openai_api_key]."),
        (read_criteria, [], []),
        (read_default_checks, [], []),
    ],
)
def test_a_valid_value_is_stored(read: Any, reader: Reader, value: Any, stored: Any) -> None:
    assert read(reader, value) == (stored, [])


SCALE = "This is a whole number from 2 to 10."
MARK = "This is a whole number from 2 to the scale: a mark of 1 would let everything pass."
REVIEW = "Choose one of: none, not_passed, all."
NO_JUDGE = "There is no judge of this id that you can see."
NO_MODEL = "There is no model of this id."


@pytest.mark.spec("SC-D1", "SC-D17", "RV-37")
@pytest.mark.parametrize(
    ("reader", "value", "words"),
    [
        (read_flag, 1, "This is true or false."),
        (read_flag, None, "This is true or false."),
        (read_review, "some", REVIEW),
        (read_review, None, REVIEW),
        (read_scale, 1, SCALE),
        (read_scale, 11, SCALE),
        (read_scale, True, SCALE),
        (read_scale, 5.0, SCALE),
        (read_pass_mark, 1, MARK),
        (read_pass_mark, True, MARK),
        (read_pass_mark, 4.0, MARK),
        (read_agent, "mine", NO_JUDGE),
        (read_agent, 7, NO_JUDGE),
        (read_agent, [], NO_JUDGE),
        (read_model, "gpt", NO_MODEL),
        (read_model, False, NO_MODEL),
        (read_instructions, 5, "This must be text, not a number."),
        (read_criteria, "x", "This must be a list, not text."),
        (read_criteria, [{}] * 21, "At most 20; this has 21."),
        (read_default_checks, {}, "This must be a list, not an object."),
        (read_default_checks, [{}] * 21, "At most 20; this has 21."),
    ],
)
def test_a_wrong_value_is_refused_as_a_whole_in_words(read: Any, reader: Reader, value: Any, words: str) -> None:
    found, problems = read(reader, value)
    assert problems == [("", words)]
    assert not found


def test_too_long_instructions_are_refused_with_their_length(read: Any) -> None:
    assert read(read_instructions, "x" * 20_001)[1] == [("", "At most 20000 characters; this has 20001.")]


@pytest.mark.spec("SC-D17")
def test_a_criterion_is_stored_with_its_words_trimmed_and_is_required_unless_it_says_otherwise(read: Any) -> None:
    sent = [
        {"name": "  Tone\r\n", "criterion": " Is it\r\npolite? "},
        {"id": "c-7f2a", "name": "B", "criterion": f"Hides {KEY}", "required": False},
        {"id": None, "name": "C", "criterion": "x"},
        {"id": "", "name": "D", "criterion": "x"},
    ]
    assert read(read_criteria, sent) == (
        [
            {"id": "", "name": "Tone", "criterion": "Is it\npolite?", "required": True},
            {"id": "c-7f2a", "name": "B", "criterion": "Hides [redacted:openai_api_key]", "required": False},
            {"id": "", "name": "C", "criterion": "x", "required": True},
            {"id": "", "name": "D", "criterion": "x", "required": True},
        ],
        [],
    )


NEEDED = "A criterion needs this."
EMPTY = "This must not be empty."
NO_ID = "This is no id of a criterion. Leave it out, and a new criterion gets one."
NAMED = {"name": "A", "criterion": "x"}


@pytest.mark.spec("SC-D17", "SC-D18")
@pytest.mark.parametrize(
    ("criterion", "problems"),
    [
        ("words", [("0", "A criterion is an object, not text.")]),
        ({}, [("0.name", NEEDED), ("0.criterion", NEEDED)]),
        ({"name": None, "criterion": 5}, [
            ("0.name", "This must be text, not null."),
            ("0.criterion", "This must be text, not a number."),
        ]),
        ({"name": " ", "criterion": "\r\n"}, [("0.name", EMPTY), ("0.criterion", EMPTY)]),
        ({**NAMED, "name": "x" * 81}, [("0.name", "At most 80 characters; this has 81.")]),
        ({**NAMED, "criterion": "x" * 1001}, [("0.criterion", "At most 1000 characters; this has 1001.")]),
        ({**NAMED, "name": "Counter-Example"}, [("0.name", "This name is reserved.")]),
        ({**NAMED, "name": "REFERENCE-ANSWER"}, [("0.name", "This name is reserved.")]),
        ({**NAMED, "required": 1}, [("0.required", "This is true or false.")]),
        ({**NAMED, "id": "c-12"}, [("0.id", NO_ID)]),
        ({**NAMED, "id": "xc-1234"}, [("0.id", NO_ID)]),
        ({**NAMED, "id": 0}, [("0.id", NO_ID)]),
        ({**NAMED, "note": "x"}, [
            ("0.note", "There is no field of this name here; known are id, name, criterion, required."),
        ]),
    ],
)  # fmt: skip
def test_a_wrong_criterion_is_refused_at_its_place_in_words(
    read: Any, criterion: Any, problems: list[tuple[str, str]]
) -> None:
    assert read(read_criteria, [criterion])[1] == problems


@pytest.mark.spec("SC-D17")
def test_a_name_or_an_id_that_stands_there_twice_is_refused_at_each_place_after_the_first(read: Any) -> None:
    sent = [
        {"name": "Straße", "criterion": "x", "id": "c-1234"},
        {"name": "STRASSE", "criterion": "x", "id": "c-1234"},
        {"name": "", "criterion": "x"},
        {"name": "", "criterion": "x"},
        {"name": "strasse", "criterion": "x"},
        {"name": "c-1234", "criterion": "x"},
        "words",
    ]
    twice = [problem for problem in read(read_criteria, sent)[1] if problem[1].startswith("Another")]
    assert twice == [
        ("1.name", "Another criterion has this name."),
        ("1.id", "Another criterion has this id."),
        ("4.name", "Another criterion has this name."),
    ]


@pytest.mark.spec("SC-D23")
def test_a_default_check_is_read_like_a_cases_own_and_none_is_for_the_judge(read: Any) -> None:
    kept = {"type": "contains", "value": f"not {KEY}"}
    found, problems = read(read_default_checks, [kept, {"type": "length", "unit": "words", "max": 5}])
    assert [check["type"] for check in found] == ["contains", "length"]
    assert (found[0]["value"], problems) == ("not [redacted:openai_api_key]", [])
    _found, problems = read(read_default_checks, [{"type": "judge"}, {"type": "nothing"}, 5, {"type": "judge"}])
    judge = "A criterion for every case belongs to the criteria of the judge; a default check cannot be one."
    assert [place for place, _words in problems] == ["1.type", "2", "0.type", "3.type"]
    assert [words for place, words in problems if place in ("0.type", "3.type")] == [judge, judge]


@pytest.mark.spec("SC-D28")
def test_the_pattern_of_a_default_check_is_tried(read: Any) -> None:
    problems = read(read_default_checks, [{"type": "regex", "value": "("}])[1]
    assert [place for place, _words in problems] == ["0.value"]
