"""The words of a text, and reasons that only repeat the criterion (SC-107, SC-D46)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.logic.words import FUNCTION_WORDS, VERDICT_WORDS, content_words, is_restated, words

WINDOW = "Does the answer mention the 30-day return window?"


@pytest.mark.spec("SC-D46")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hello, WORLD!", ["hello", "world"]),
        ("", []),
        ("— … “”", []),
        ("30-day", ["30", "day"]),
        ("-5 and −5", ["-5", "and", "-5"]),
        ("1,234.50 on 2024/01/02 at 12:30.", ["1,234.50", "on", "2024/01/02", "at", "12:30"]),
        ("30. 31, 32", ["30", "31", "32"]),
        ("30days", ["30", "days"]),
        ("b2b v1.2", ["b2b", "v1", "2"]),
        ("don’t don't don`t don´t", ["don't"] * 4),
        ("'quoted' ‘words’", ["quoted", "words"]),
        ("rock'n'roll", ["rock'n'roll"]),
        ("5 € + 3% < $10 >= 2 = x", ["5", "€", "+", "3", "%", "<", "$", "10", ">", "=", "2", "=", "x"]),
        ("& * # @ ~ ^ |", []),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬁne １２％", ["fine", "12", "%"]),
        ("snake_case", ["snake", "case"]),
        ("ket\u200btle", ["kettle"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("❤\ufe0f x", ["x"]),
    ],
)
def test_words_are_numbers_runs_of_letters_and_signs_in_order(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.spec("SC-D46")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The answer mentions the 30-day return window.", ["mention", "30", "day", "return", "window"]),
        ("+ % < > = €", []),
        ("not no the a is of and", []),
        ("Yes, fully, because it clearly and correctly passes; therefore since", []),
        ("Answered answers, replying replies, criteria, graded scores", []),
        ("doesn’t isn't can't it’s that’s", []),
        ("showing shows showed", ["show", "show", "show"]),
        ("boxes uses", ["boxe", "uses"]),
        ("passages", ["passag"]),
        ("gives days", ["give", "days"]),
        ("sings running bring", ["sing", "runn", "bring"]),
        ("glass1s", ["glass1"]),
        ("ab12s", ["ab12s"]),
        ("refund refund", ["refund", "refund"]),
    ],
)
def test_content_words_leave_out_what_says_nothing_and_shorten_the_rest(text: str, found: list[str]) -> None:
    assert content_words(text) == found


@pytest.mark.spec("SC-107", "SC-D46")
@pytest.mark.parametrize(
    "reason",
    [
        "The answer mentions the 30-day return window.",
        "The answer does not mention the return window.",
        "Yes, it passes.",
        "",
        "…",
        "It mentions a window of 30 days, return refund.",
    ],
)
def test_a_reason_in_the_words_of_the_criterion_is_restated(reason: str) -> None:
    assert is_restated(reason, WINDOW)


@pytest.mark.spec("SC-107", "SC-D46")
@pytest.mark.parametrize(
    "reason",
    [
        "It only talks about refunds by card and never gives a period.",
        "It says customers have 30 days from delivery, which is the required period.",
        "Return within a month.",
        "window kettle",
    ],
)
def test_a_reason_of_which_half_is_its_own_is_not(reason: str) -> None:
    assert not is_restated(reason, WINDOW)


@pytest.mark.spec("SC-D46")
def test_repeats_count_and_more_than_half_is_needed() -> None:
    assert is_restated("kettle window window", WINDOW)
    assert not is_restated("kettle kettle window window", WINDOW)
    assert not is_restated("kettle", "")


@pytest.mark.spec("SC-D46")
def test_the_lists_hold_words_as_a_text_gives_them() -> None:
    for word in FUNCTION_WORDS | VERDICT_WORDS - {"answers'"}:
        assert words(word) == [word]


@pytest.mark.spec("SC-D46")
@pytest.mark.parametrize(
    "word",
    "answer response reply criterion rule grade score pass fail meet satisfy fulfil fully correctly clearly therefore "
    "because since yes answers responses replies criteria rules grades scores passes fails meets satisfies fulfils "
    "answered replied ruled graded scored passed failed met satisfied fulfilled answering replying grading scoring "
    "passing failing meeting satisfying fulfilling".split(),
)
def test_words_of_a_verdict_say_nothing_in_any_form(word: str) -> None:
    assert content_words(word) == []


@pytest.mark.spec("SC-D46")
@pytest.mark.parametrize(
    "word",
    "the a an i you it they this that which who be is was were have has had do does did will would can could must "
    "of in on at by for with from to within about and or but if although while not no it's doesn't can't".split(),
)
def test_function_words_say_nothing(word: str) -> None:
    assert content_words(word) == []


@settings(deadline=None)
@given(st.text(max_size=80))
def test_case_spaces_and_punctuation_do_not_change_words(text: str) -> None:
    found = words(text)
    assert words(" ".join(found)) == found
    assert words(f"“ {text} ”") == found
    assert all(word and " " not in word for word in found)


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_reason_that_is_the_criterion_is_always_restated(criterion: str, other: str) -> None:
    assert is_restated(criterion, criterion)
    assert is_restated(criterion, f"{criterion} {other}")
