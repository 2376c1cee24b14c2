"""GradedAnswer: what an agent answered, as every evaluator reads it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class MadeCall:
    """A tool call that the agent made, under the name its run recorded (SC-91).

    `arguments` are an object, or the text as it was sent where that is no JSON object. `outcome` is ok, failed, blocked
    (an isolated run stopped it, SC-90), or empty where the tool's end is not known.
    """

    tool: str
    arguments: Any
    outcome: str = ""

    @property
    def is_blocked(self) -> bool:
        return self.outcome == "blocked"

    @property
    def has_failed(self) -> bool:
        return self.outcome == "failed"


@dataclass(frozen=True)
class GradedAnswer:
    """The whole answer (its steps' text, a blank line between), its calls in order, and what the agent's run took.

    `cost` is in USD, `seconds` from the run's start to its end; both None where they are not known, and 0 is a value
    (SC-D30, BC-38).
    """

    text: str
    calls: tuple[MadeCall, ...] = ()
    cost: Decimal | None = None
    seconds: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it has no text; calls are another question (SC-D15)."""
        return not self.text.strip()
