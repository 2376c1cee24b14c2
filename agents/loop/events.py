"""What happens while an agent answers, in order; whoever runs the loop stores and shows it (PL-23, PL-31)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeAlias

from agents.logic.usage import Usage

# Causes of an `Ended` that no provider named.
CUT_OFF, FILTERED, NO_ANSWER, WRONG_REPLY = "cut_off", "filtered", "no_answer", "wrong_reply"


class Ending(StrEnum):
    """How an answer ended, each naming its cause; the values are those of a run's status."""

    COMPLETED = "completed"
    MAX_STEPS = "max_steps"
    TIMED_OUT = "timed_out"
    OVER_BUDGET = "over_budget"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Outcome(StrEnum):
    """How a tool call went; a blocked one was not executed, because the run was isolated (PL-22)."""

    OK = "ok"
    FAILED = "failed"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class TextPiece:
    """The next characters of the text that the model is writing; the step that follows holds the whole text."""

    text: str


@dataclass(frozen=True)
class ModelStep:
    """One call of a model, or one reply of an endpoint, that is done.

    `tool_calls` are `{"id", "name", "arguments"}`: an object, or the text as it was sent where that is no JSON object.
    `usage` and `cost` (USD) are None where nobody said them.
    """

    text: str
    tool_calls: Sequence[Mapping[str, Any]] = ()
    model: str = ""
    usage: Usage | None = None
    cost: Decimal | None = None
    seconds: float | None = None
    finish_reason: str = ""


@dataclass(frozen=True)
class ToolStep:
    """One tool call that is done; `result` is what the model reads, shortened where it was too long."""

    call_id: str
    name: str
    arguments: Any
    result: str
    outcome: Outcome
    seconds: float | None = None


@dataclass(frozen=True)
class Ended:
    """The end; `error` is a sentence for a person that says why it did not complete, empty where it did.

    `may_pass`: the other side failed in a way that the same question may not meet later (EV-D23): no connection, too
    slow, too many requests, a fault of its own. `cause` is one short word for the kind of error, so that equal ones are
    known as equal whatever the sentence quotes (EV-D20); empty where there is none.
    """

    status: Ending
    error: str = ""
    may_pass: bool = False
    cause: str = ""


Event: TypeAlias = TextPiece | ModelStep | ToolStep | Ended
