"""The parts that a run's page is made of: instructions, and exchanges with their steps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from activity.logic.answers import Exchange, Said, ShownStep, exchanges, shown_steps

Step = TypeVar("Step", bound=Said)


@dataclass(frozen=True)
class Part(Generic[Step]):
    """A question and the steps of its answer as a page shows them; `last` is where ratings and controls stand."""

    question: Step | None
    steps: list[ShownStep[Step]]
    last: Step | None
    text: str = ""


@dataclass(frozen=True)
class Parts(Generic[Step]):
    """Some messages of a conversation in order: the instructions that an agent was given, and the exchanges."""

    instructions: list[Step] = field(default_factory=list)
    exchanges: list[Part[Step]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.instructions or self.exchanges)


def parts_of(messages: Sequence[Step]) -> Parts[Step]:
    """The messages cut at each question."""
    found: Iterable[Exchange[Step]] = exchanges(messages)
    shown = [Part(each.question, shown_steps(each.steps), each.last_step, each.text) for each in found]
    return Parts([message for message in messages if message.role == "system"], shown)
