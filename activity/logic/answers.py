"""What belongs to one answer: the steps between two questions, their joined text, and the tool calls with their ends.

Works on messages in the order of their conversation, whatever holds them: rows, or an integrator's body.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

USER, ASSISTANT, TOOL = "user", "assistant", "tool"


class Said(Protocol):
    """A message, as far as it is read here; calls are `{"id", "name", "arguments"}`."""

    role: Any
    text: Any
    tool_calls: Any
    tool_call_id: Any
    outcome: Any


Step = TypeVar("Step", bound=Said)


@dataclass(frozen=True)
class Call(Generic[Step]):
    """A tool call of an answer; `answer` is the tool's message, None where none came."""

    id: str
    name: str
    arguments: Any
    answer: Step | None = None

    @property
    def outcome(self) -> str:
        """ok, failed, blocked, or empty where the tool's end is not known."""
        return str(self.answer.outcome) if self.answer else ""

    @property
    def result(self) -> str:
        """What the tool gave back, as the model read it."""
        return str(self.answer.text) if self.answer else ""

    @property
    def arguments_text(self) -> str:
        """The arguments as a person reads them."""
        return self.arguments if isinstance(self.arguments, str) else _as_json(self.arguments)

    @property
    def result_text(self) -> str:
        """The result as a person reads it: JSON over several lines."""
        return _as_json_text(self.result)


@dataclass(frozen=True)
class ShownStep(Generic[Step]):
    """A step with the calls it asked for; a tool's result that no call asked for stands alone."""

    step: Step
    calls: list[Call[Step]]

    @property
    def is_lost_result(self) -> bool:
        return bool(self.step.role == TOOL)


@dataclass(frozen=True)
class Exchange(Generic[Step]):
    """A question and the steps of its answer; `question` is None for what an agent said before anybody asked."""

    question: Step | None
    steps: list[Step] = field(default_factory=list)

    @property
    def text(self) -> str:
        return joined_text(self.steps)

    @property
    def calls(self) -> list[Call[Step]]:
        """Its tool calls in order, with their outcome."""
        return calls_of(self.steps)

    @property
    def last_step(self) -> Step | None:
        return last_step(self.steps)


@dataclass(frozen=True)
class Turn(Generic[Step]):
    """One turn of a conversation as a case holds it: a question, or a whole answer joined; `said` are its messages."""

    role: str
    text: str
    said: Sequence[Step]


def exchanges(messages: Iterable[Step]) -> list[Exchange[Step]]:
    """The messages cut at each question; instructions of the system belong to none."""
    found: list[Exchange[Step]] = []
    for message in messages:
        if message.role == USER:
            found.append(Exchange(message))
        elif message.role in (ASSISTANT, TOOL):
            if not found:
                found.append(Exchange(None))
            found[-1].steps.append(message)
    return found


def joined_text(steps: Iterable[Said]) -> str:
    """The text of an answer's steps in order, a blank line between; tool results are no text (DS-D55)."""
    return "\n\n".join(step.text for step in steps if step.role == ASSISTANT and step.text.strip())


def last_step(steps: Sequence[Step]) -> Step | None:
    """The last message that the agent itself wrote: where an answer's ratings and controls stand (DS-153)."""
    return next((step for step in reversed(steps) if step.role == ASSISTANT), None)


def shown_steps(steps: Sequence[Step]) -> list[ShownStep[Step]]:
    """The steps of an answer as they are shown: each of the agent's with its calls, and results that nobody asked for.

    An id that an agent used twice is told apart by order: the next result for it belongs to the next call.
    """
    results: dict[str, list[Step]] = {}
    for step in steps:
        if step.role == TOOL:
            results.setdefault(step.tool_call_id, []).append(step)
    found = []
    for step in steps:
        if step.role == ASSISTANT:
            found.append(ShownStep(step, [_call(call, results) for call in step.tool_calls]))
    asked = {id(call.answer) for shown in found for call in shown.calls}
    lost = [ShownStep(step, []) for step in steps if step.role == TOOL and id(step) not in asked]
    places = {id(step): place for place, step in enumerate(steps)}
    return sorted(found + lost, key=lambda shown: places[id(shown.step)])


def calls_of(steps: Sequence[Step]) -> list[Call[Step]]:
    """The tool calls of an answer in order, each with its end."""
    return [call for shown in shown_steps(steps) for call in shown.calls]


def _call(call: Mapping[str, Any], results: dict[str, list[Step]]) -> Call[Step]:
    waiting = results.get(call["id"])
    return Call(call["id"], call["name"], call["arguments"], waiting.pop(0) if waiting else None)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _as_json_text(text: str) -> str:
    """JSON over several lines; any other text, and JSON that cannot be read, as it is."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return _as_json(json.loads(text))
    except (ValueError, RecursionError):
        return text


def turns_of(messages: Iterable[Step]) -> list[Turn[Step]]:
    """The conversation as turns: an answer in steps is one; an answer without text is none, and neither are results."""
    found: list[Turn[Step]] = []
    for exchange in exchanges(messages):
        if exchange.question is not None and exchange.question.text.strip():
            found.append(Turn(USER, exchange.question.text, [exchange.question]))
        if exchange.text:
            found.append(Turn(ASSISTANT, exchange.text, exchange.steps))
    return found
