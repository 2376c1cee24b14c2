"""Which of some questions are nearest another: those that share most words with it (SC-158, SC-D52)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


def nearest_first(
    question: str, things: Iterable[Thing], *, asks: Callable[[Thing], str], words: Callable[[str], Collection[str]]
) -> list[Thing]:
    """The things by the number of different words of `question` that their own question has; ties keep their order."""
    wanted = set(words(question))
    found: Sequence[Thing] = list(things)
    return sorted(found, key=lambda thing: -len(wanted & set(words(asks(thing)))))
