"""How long the judge's own tests take on the longest answers, ordinary and hostile: twice the text, twice the time."""

import time
from collections.abc import Callable

from core.limits import LIMITS
from scoring.logic.counter_examples import copies_counter_example, repeats_counter_example
from scoring.logic.prompt import sent_answer
from scoring.logic.quotes import Passages
from scoring.logic.replies import read_reply
from scoring.logic.words import is_restated
from tests.scoring.judge_logic.test_linear import HOSTILE

ORDINARY = "You can return a kettle within 30 days of delivery, with its receipt; we don't take used ones. "
TEXTS: dict[str, Callable[[int], str]] = {
    "ordinary words": lambda size: (ORDINARY * (size // len(ORDINARY) + 1))[:size],
    **HOSTILE,
}
QUOTES = 12
LENGTHS = (LIMITS.answer_characters // 2, LIMITS.answer_characters)


def quotes(answer: str) -> None:
    """As many as one grade may rest on, none of which stands there."""
    passages = Passages(answer)
    for number in range(QUOTES):
        passages.contain(f"{answer[: 900 + number]}x")


def copies(answer: str) -> None:
    known = answer[: LIMITS.text_characters]
    repeats_counter_example(answer, f"{known} b")
    copies_counter_example(answer, f"x {known} b")


ACTS: dict[str, Callable[[str], object]] = {
    f"{QUOTES} quotes": quotes,
    "counter-example": copies,
    "reason": lambda answer: is_restated(answer, answer[: LIMITS.criterion_characters]),
    "reply": lambda answer: read_reply(answer, "stop", answer=answer),
    "hiding": sent_answer,
}


def main() -> None:
    """Print milliseconds of processor time for both lengths, and how they grow."""
    print(f"milliseconds for {LENGTHS[0]:,} and {LENGTHS[1]:,} characters, and the longer by the shorter\n")
    print(f"{'':24}" + "".join(f"{name:>26}" for name in ACTS))
    for kind, text in TEXTS.items():
        figures = []
        for act in ACTS.values():
            half, whole = (best(act, text(length)) for length in LENGTHS)
            figures.append(f"{half:8.1f}{whole:8.1f}{whole / half if half else 1:7.1f} ×")
        print(f"{kind:24}" + "".join(f"{figure:>26}" for figure in figures))


def best(act: Callable[[str], object], text: str, times: int = 3) -> float:
    """The shortest processor time of several tries: a busy machine only adds to it."""
    tries = []
    for _try in range(times):
        began = time.process_time()
        act(text)
        tries.append((time.process_time() - began) * 1_000)
    return min(tries)
