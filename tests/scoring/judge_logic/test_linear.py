"""The tests of quotes, reasons and counter-examples take time linear in the text (SC-D49).

Steps are counted and not timed: every line that runs in the modules, for a text of 50,000 and of 100,000 characters.
What runs in C below one line is a search for one text in another or a pass of a pattern that never looks back; that
those are linear too shows in `python -m benchmarks judge`, where a minute would be needed otherwise.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from core.limits import LIMITS
from scoring.logic.causes import GradeFault
from scoring.logic.counter_examples import copies_counter_example, fault_of_a_pass, repeats_counter_example
from scoring.logic.quotes import Passages, is_empty
from scoring.logic.replies import read_reply
from scoring.logic.words import is_restated, words

LENGTH = LIMITS.answer_characters
HALF = LENGTH // 2
# Each makes a naive search look at everything again and again.
HOSTILE = {
    "one letter": lambda size: "a" * size,
    "one word": lambda size: "a " * (size // 2),
    "words of a period": lambda size: "ab " * (size // 3),
    "marks": lambda size: "'" * size,
    "points": lambda size: "." * size,
    "spaces": lambda size: " " * size,
    "digits": lambda size: "1," * (size // 2),
    "apostrophes": lambda size: "a'" * (size // 2),
    "accents": lambda size: "e\u0301" * (size // 2),
    "letters without spaces": lambda size: "退" * size,
    "braces": lambda size: "{" * size,
    "commas": lambda size: ", " * (size // 2),
    "ends of thinking": lambda size: '</think>{"' * (size // 10),
    "escapes": lambda size: '"\\' * (size // 2),
}


def steps(act: Callable[[], Any]) -> int:
    """How many lines of the scoring app and of the strict reader run for it."""
    count = 0

    def on_line(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return on_line

    def on_call(frame: FrameType, _event: str, _arg: Any) -> Any:
        name = frame.f_code.co_filename
        return on_line if "/scoring/logic/" in name or "strict_json" in name else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def assert_linear(act: Callable[[str], Any], text: Callable[[int], str]) -> None:
    half, whole = text(HALF), text(LENGTH)
    few, many = steps(lambda: act(half)), steps(lambda: act(whole))
    assert many <= 2.1 * few + 100
    assert many <= 12 * LENGTH


@pytest.mark.spec("SC-D49")
@pytest.mark.parametrize("kind", HOSTILE)
def test_quotes_words_and_copies(kind: str) -> None:
    text = HOSTILE[kind]

    def grade(answer: str) -> None:
        passages = Passages(answer)
        passages.contain(answer[:999] + "x")
        is_empty(answer)
        is_restated(answer, answer[: LIMITS.criterion_characters])
        repeats_counter_example(answer, answer[: LIMITS.text_characters] + " b")
        copies_counter_example(answer, f"x {answer[: LIMITS.text_characters]} b")
        fault_of_a_pass([answer[:999]], answer, answer[: LIMITS.text_characters])

    assert_linear(grade, text)


@pytest.mark.spec("SC-D49")
@pytest.mark.parametrize("kind", HOSTILE)
def test_replies(kind: str) -> None:
    assert_linear(lambda reply: read_reply(reply, "stop", answer=reply), HOSTILE[kind])
    assert_linear(lambda reply: read_reply('{"verdicts": ["' + reply, "stop"), HOSTILE[kind])


@pytest.mark.spec("SC-D49")
@pytest.mark.parametrize("quote", ["a a", "aa", "ab " * 300 + "b", "x"])
def test_a_quote_costs_the_same_steps_however_long_the_answer_and_however_often_it_nearly_stands_there(
    quote: str,
) -> None:
    """One search a way of writing it: no place of a near match is looked at twice."""
    short, long = Passages("ab " * 10), Passages("ab " * (LENGTH // 3))
    assert steps(lambda: short.contain(quote)) == steps(lambda: long.contain(quote)) < 20


@pytest.mark.spec("SC-D49", "SC-D48")
def test_a_long_counter_example_is_compared_in_full() -> None:
    """Not by leaving out what is long: the last words decide here."""
    said = " ".join(f"w{number}" for number in range(8_000))
    assert len(words(said)) == 8_000
    assert copies_counter_example(f"{said} end", said)
    assert repeats_counter_example(said, f"begin {said}")
    assert not repeats_counter_example(f"{said} end", said)
    assert fault_of_a_pass([], f"{said} end", said) is GradeFault.QUOTES_NOTHING
