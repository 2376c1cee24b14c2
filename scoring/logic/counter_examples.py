"""Whether an answer is or copies a case's counter-example, and what a pass on it may rest on (SC-115 to SC-123)."""

from collections.abc import Sequence

from scoring.logic.causes import GradeFault
from scoring.logic.quotes import Passages
from scoring.logic.words import words

RUN = 5
# A copy holds at least four fifths of the counter-example's words in runs that it shares.
SHARED, OF = 4, 5


def repeats_counter_example(answer: str, counter_example: str) -> bool:
    """Whether the answer is the counter-example or a part of it: its words, in a row (SC-122, SC-123, SC-D47).

    An answer without words repeats nothing.
    """
    return _stand_in_a_row(words(answer), words(counter_example))


def copies_counter_example(answer: str, counter_example: str) -> bool:
    """Whether the answer holds the counter-example, or most of it in runs of five words (SC-119, SC-D48)."""
    known, said = words(counter_example), words(answer)
    if _stand_in_a_row(known, said):
        return True
    return len(known) >= RUN and _shared_words(known, said) * OF >= len(known) * SHARED


def fault_of_a_pass(verified: Sequence[str], answer: str, counter_example: str) -> GradeFault | None:
    """What is wrong with a passing grade on the counter-example that rests on these verified quotes (SC-D48)."""
    if not verified:
        return GradeFault.QUOTES_NOTHING if copies_counter_example(answer, counter_example) else None
    both_say = Passages(counter_example)
    return GradeFault.QUOTES_WHAT_BOTH_SAY if all(both_say.contain(quote) for quote in verified) else None


def _stand_in_a_row(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether the words of `part` stand in `whole` one after the other; never for no words.

    No word holds a space, so this is one search in a text, whose time is linear (SC-D49).
    """
    return bool(part) and f" {' '.join(part)} " in f" {' '.join(whole)} "


def _shared_words(known: Sequence[str], said: Sequence[str]) -> int:
    """How many of the known words lie in runs of five that are said too."""
    runs = set(_runs(said))
    count, end = 0, 0
    for start, run in enumerate(_runs(known)):
        if run in runs:
            count += start + RUN - max(start, end)
            end = start + RUN
    return count


def _runs(of: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(of[start : start + RUN]) for start in range(len(of) - RUN + 1)]
