"""Which rules the words of a criterion suggest (SC-126 to SC-128, SC-D50, SC-D51)."""

from typing import Any

import pytest
import regex

from core.limits import LIMITS
from core.reading_child import ReadingChild
from datasets.logic.checks import read_checks
from scoring.logic.suggestions import suggested_rules

pytestmark = pytest.mark.spec("SC-126", "SC-128", "SC-D50")


def checks_of(criterion: str) -> list[Any]:
    return [one.check for one in suggested_rules(criterion)]


def length(unit: str = "words", **bounds: int) -> dict[str, Any]:
    return {"type": "length", "unit": unit, **bounds}


@pytest.mark.parametrize(
    ("criterion", "check"),
    [
        ("Is the answer at most 50 words long?", length(max=50)),
        ("No more than twenty words", length(max=20)),
        ("No more  than\ntwenty words", length(max=20)),
        ("Up to 300 characters.", length("characters", max=300)),
        ("Maximum of 5 words", length(max=5)),
        ("MAXIMUM 5 WORDS", length(max=5)),
        ("It is 12 words or fewer.", length(max=12)),
        ("twelve words or less", length(max=12)),
        ("under 100 characters", length("characters", max=99)),
        ("fewer than 10 words", length(max=9)),
        ("Less than ten words", length(max=9)),
        ("below 10 words", length(max=9)),
        ("at least 20 words", length(min=20)),
        ("no fewer than 3 characters", length("characters", min=3)),
        ("No less than three words", length(min=3)),
        ("minimum of 4 words", length(min=4)),
        ("minimum 4 words", length(min=4)),
        ("20 words or more", length(min=20)),
        ("more than 5 words", length(min=6)),
        ("over 5 words", length(min=6)),
        ("Is it between 20 and 50 words?", length(min=20, max=50)),
        ("exactly one\n words", length(min=1, max=1)),
        ("At least 20 words and at most 50 words", length(min=20, max=50)),
        ("At least 20 words. It has up to 50 characters", length(min=20)),
        ("No more than 50 words and at least 20 words", length(max=50, min=20)),
        ("At most 50 words and at most 30 words", length(max=50)),
        ("At least 50 words and at most 20 words", length(min=50)),
        ("At most 200000 words, or at most 9 words", length(max=9)),
        ("Fewer than one word", length(max=0)),
        ("At most 100000 characters", length("characters", max=100_000)),
        ("At most 1 Word", length(max=1)),
        ("Is the answer valid JSON?", {"type": "json_schema", "schema": {}}),
        ("The reply is JSON", {"type": "json_schema", "schema": {}}),
        ("It parses as json", {"type": "json_schema", "schema": {}}),
        ("Is it a valid JSON object?", {"type": "json_schema", "schema": {"type": "object"}}),
        ("It is a JSON array", {"type": "json_schema", "schema": {"type": "array"}}),
        ("returns a JSON list", {"type": "json_schema", "schema": {"type": "array"}}),
        ("Uses a bulleted list", {"type": "regex", "value": r"(?m)^\s*[-*•]\s+\S"}),
        ("has three Bullet Points", {"type": "regex", "value": r"(?m)^\s*[-*•]\s+\S"}),
    ],
)
def test_each_form_of_words_gives_its_rule(criterion: str, check: Any) -> None:
    assert checks_of(criterion) == [check]


@pytest.mark.parametrize(
    "criterion",
    [
        "Is the answer polite?",
        "It is not more than 50 words",
        "never more than 50 words",
        "There is no bulleted list",
        "It avoids bullet points",
        "without valid JSON",
        "It doesn't use bullet points",
        "at most 1,000 words",
        "one hundred twenty words or fewer",
        "twenty-one words or less",
        "at most 50 sentences",
        "at most 200000 characters",
        "between 50 and 20 words",
        "fewer than 0 words",
        "starts with Hello",
        'starts with ""',
    ],
)
def test_other_words_give_none(criterion: str) -> None:
    assert checks_of(criterion) == []


@pytest.mark.parametrize(
    ("criterion", "answer"),
    [
        ('Starts with "Dear customer,"', "  Dear customer, thanks"),
        ("Does it begin with “Hi (you). Well”?", "Hi (you). Well then"),
        ("opens with „Guten Tag“", "Guten Tag!"),
        ("begins with «Bonjour»", "Bonjour"),
        ("begins with 'I'm sorry'", "I'm sorry to hear"),
    ],
)
def test_a_beginning_in_quotation_marks_is_a_pattern_that_finds_it(criterion: str, answer: str) -> None:
    (check,) = checks_of(criterion)
    assert check["type"] == "regex"
    assert check["case_sensitive"] is True
    assert regex.search(check["value"], answer)
    assert not regex.search(check["value"], "x " + answer)
    assert not regex.search(check["value"], answer.lower())


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        ('Starts with "Hello" or begins with “Good day”', "Hello"),
        ('Begins with “Good day” or starts with "Hello"', r"Good\ day"),
        ('Starts with "Hello" and later "Bye" stands there', "Hello"),
        # Both „…“ and „…” begin there; the one that ends first is meant.
        ("Starts with „Hallo“ and ends with „Ende”", "Hallo"),
        ("Starts with  '  Hello ' ", "Hello"),
    ],
)
def test_of_several_beginnings_the_first_is_suggested(criterion: str, words: str) -> None:
    assert [check["value"] for check in checks_of(criterion)] == [rf"\A\s*{words}"]


def test_a_beginning_that_makes_too_long_a_pattern_is_not_suggested() -> None:
    room = LIMITS.pattern_characters - len(r"\A\s*")
    assert len(checks_of(f'Starts with "{"x" * room}"')) == 1
    assert checks_of(f'Starts with "{"x" * (room + 1)}"') == []
    assert checks_of('Starts with "  "') == []


def test_a_denial_in_the_line_before_leaves_the_suggestion_and_one_in_the_same_sentence_does_not() -> None:
    assert checks_of("It does not lie\nAt most 50 words") == [length(max=50)]
    assert checks_of("At most 50 words\nIt does not lie") == [length(max=50)]
    assert checks_of("At most 50 words, but not fewer") == []
    assert checks_of("Not so. It is not true that it has at most 50 words") == []


def test_a_denial_in_another_sentence_leaves_the_suggestion() -> None:
    assert checks_of("It does not apologise. It has at most 50 words.") == [length(max=50)]
    assert checks_of("Has no more than 50 words? Never mind the rest") == [length(max=50)]


def test_several_kinds_are_suggested_at_once_and_each_once() -> None:
    criterion = "A bulleted list with bullet points of at most 50 words, or up to 9 words, in valid JSON"
    assert [one.kind.value for one in suggested_rules(criterion)] == ["length", "json", "bullets"]
    assert [one.kind.value for one in suggested_rules('Starts with "Hi", under 9 words')] == ["length", "beginning"]


@pytest.mark.spec("SC-D51")
def test_a_rule_that_is_there_already_is_not_suggested() -> None:
    assert suggested_rules("At most 50 words", [length(max=50)]) == ()
    assert suggested_rules("At most 50 words", [length(max=51)])


def test_every_suggestion_is_a_check_that_may_be_saved() -> None:
    criterion = 'At most 50 words, a JSON object, bullet points; begins with "a.b[c"'
    found = checks_of(criterion)
    with ReadingChild() as child:
        assert len(found) == 4
        assert read_checks(found, child)[1] == []


def test_hidden_characters_of_a_copied_beginning_are_left_out() -> None:
    (found,) = suggested_rules("Does it begin with “\u200b\ufeffHi\u200e there”?")
    assert (found.opening, found.check["value"]) == ("Hi there", r"\A\s*Hi\ there")
    assert suggested_rules("Does it begin with “\u200b”?") == ()
