"""Answers that are or copy the counter-example, and passes on it that rest on nothing (SC-D47, SC-D48)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.logic.causes import GradeFault
from scoring.logic.counter_examples import copies_counter_example, fault_of_a_pass, repeats_counter_example
from tests.scoring.judge_logic.makers import KETTLE

LONGER = "Yes, you can return a used kettle, but only within 30 days and with the receipt."


@pytest.mark.spec("SC-122", "SC-D47")
@pytest.mark.parametrize(
    "answer",
    [
        "yes you can return a used kettle",
        "Yes.",
        KETTLE,
        "**YES**, you can\nreturn a “used” kettle!",
        "can return",
        "a used kettle",
    ],
)
def test_the_counter_example_or_a_part_of_it_is_caught(answer: str) -> None:
    assert repeats_counter_example(answer, KETTLE)


@pytest.mark.spec("SC-122", "SC-D47")
@pytest.mark.parametrize(
    "answer",
    [
        "You can not return a used kettle",
        "No, a used kettle cannot be returned.",
        "",
        "…",
        LONGER,
        "kettle used",
        "yes can",
        "ye",
        "ettle",
        "es you",
    ],
)
def test_any_other_answer_is_not(answer: str) -> None:
    assert not repeats_counter_example(answer, KETTLE)


@pytest.mark.spec("SC-D47")
def test_a_dropped_not_is_another_answer_and_numbers_are_words() -> None:
    assert not repeats_counter_example("You may return it", "You may not return it")
    assert not repeats_counter_example("within 3 days", "within 30 days")
    assert not repeats_counter_example("5 degrees", "-5 degrees")
    assert not repeats_counter_example("x", "")


@pytest.mark.spec("SC-119", "SC-D48")
@pytest.mark.parametrize(
    ("answer", "counter_example", "copies"),
    [
        (LONGER, KETTLE, True),
        (KETTLE, KETTLE, True),
        ("You can not return a used kettle", KETTLE, False),
        ("Well, no.", "No", True),
        ("Well, yes.", "No", False),
        # ten words: eight of them in runs of five that both share, then seven
        ("a b c d e f g h x y", "a b c d e f g h i j", True),
        ("a b c d e f g x y z", "a b c d e f g h i j", False),
        # runs that overlap count each word once
        ("a b c d e f", "a b c d e f x y", False),
        # two runs apart from each other
        ("a b c d e . q . f g h i j", "a b c d e - x y - f g h i j", True),
        ("f g h i j - a b c d e", "a b c d e f g h i j", True),
        # four words are no run, at the end neither
        ("a b c d e f q g h i j", "a b c d e f g h i j", False),
        ("a b c d x", "a b c d e", False),
        ("a b c d", "a b c d", True),
        ("a b c x d", "a b c d", False),
        ("anything", "", False),
        ("", "a b c d e", False),
        ("anything", "…", False),
    ],
)
def test_an_answer_copies_it_whole_or_four_fifths_of_it_in_runs_of_five(
    answer: str, counter_example: str, copies: bool
) -> None:
    assert copies_counter_example(answer, counter_example) is copies


@pytest.mark.spec("SC-118", "SC-119", "SC-120", "SC-121", "SC-D48")
@pytest.mark.parametrize(
    ("verified", "answer", "fault"),
    [
        (["but only within 30 days"], LONGER, None),
        (["you can return a used kettle"], LONGER, GradeFault.QUOTES_WHAT_BOTH_SAY),
        ([], LONGER, GradeFault.QUOTES_NOTHING),
        (["you can return a used kettle", "but only within 30 days"], LONGER, None),
        (["“you can return”", "a used kettle"], LONGER, GradeFault.QUOTES_WHAT_BOTH_SAY),
        ([], "Used kettles stay with you.", None),
        (["a used kettle"], "No, a used kettle cannot be returned.", GradeFault.QUOTES_WHAT_BOTH_SAY),
    ],
)
def test_a_pass_must_rest_on_what_only_the_answer_says(
    verified: list[str], answer: str, fault: GradeFault | None
) -> None:
    assert fault_of_a_pass(verified, answer, KETTLE) is fault


WORD = st.sampled_from("yes no you can not return a used kettle within 30 days -5 € 1,5 don't".split())


@settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=20), st.data())
def test_every_part_of_it_is_caught_however_it_is_written(said: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(said) - 1))
    end = data.draw(st.integers(start + 1, len(said)))
    separators = st.sampled_from([" ", "\n", " … ", ", "])
    written = "".join(word.upper() + data.draw(separators) for word in said[start:end])
    assert repeats_counter_example(f"“{written}”", " ".join(said))
    assert copies_counter_example(f"x {' '.join(said)} y", written)
    assert not repeats_counter_example(f"{written} kettles", " ".join(said))
