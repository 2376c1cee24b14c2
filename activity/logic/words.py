"""Whose words a conversation holds: one person's messages, and the agent's answers to them (ACC-53, ACC-D38)."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class Spoken(Protocol):
    """A message, as far as it is asked here."""

    role: str


Message = TypeVar("Message", bound=Spoken)


def words_and_answers(
    messages: Iterable[Message], is_theirs: Callable[[Message], bool]
) -> list[tuple[list[Message], list[Message]]]:
    """The person's messages and what the agent answered, exchange by exchange; `messages` in order.

    The agent answers everything that was said to it since its last answer, be it by one person or by several.
    """
    found: list[tuple[list[Message], list[Message]]] = []
    mine: list[Message] = []
    answers: list[Message] = []
    for message in messages:
        if message.role == "user":
            if answers:
                found.append((mine, answers))
                mine, answers = [], []
            mine += [message] if is_theirs(message) else []
        elif message.role in ("assistant", "tool"):
            answers.append(message)
    found.append((mine, answers))
    return [(said, answered) for said, answered in found if said]
