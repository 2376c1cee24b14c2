"""Reading the JSON that an endpoint agent answers with; each fault named with its place (PL-21, BC-38)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agents.logic.arguments import read_arguments, storable
from agents.logic.usage import Usage, read_usage
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.strict_json import JSONFault, read_json
from core.texts import wrong_type

OUTCOMES = ("ok", "failed", "blocked")


@dataclass(frozen=True)
class EndpointCall:
    """A tool call that the endpoint says it made; `result` None where it does not tell what came back."""

    name: str
    arguments: Any
    result: str | None
    outcome: str


@dataclass(frozen=True)
class EndpointReply:
    """What the endpoint answered; `usage` and `cost` (USD) are None where it does not say them, 0 is a value."""

    output: str
    calls: tuple[EndpointCall, ...] = ()
    usage: Usage | None = None
    cost: Decimal | None = None


class WrongReply(ValueError):
    """The reply is not as documented; `problem` says what is wrong and where."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.text)


def read_reply(body: bytes) -> EndpointReply:
    """The reply in a body. Fields that are not documented are left alone. Raises `WrongReply`."""
    try:
        sent = read_json(body)
    except JSONFault as fault:
        raise WrongReply(Problem("", gettext_noop("it is no JSON: %(why)s"), {"why": str(fault)})) from None
    if not isinstance(sent, dict):
        raise WrongReply(wrong_type(gettext_noop("it must be an object, not %(type)s"), sent))
    output = sent.get("output")
    if not isinstance(output, str):
        raise WrongReply(wrong_type(gettext_noop("it must be text, not %(type)s"), output).under("output"))
    return EndpointReply(storable(output), _calls(sent.get("tool_calls")), _usage(sent), _cost(sent.get("cost")))


def _calls(sent: Any) -> tuple[EndpointCall, ...]:
    if sent is None:
        return ()
    if not isinstance(sent, list):
        raise WrongReply(wrong_type(gettext_noop("it must be a list, not %(type)s"), sent).under("tool_calls"))
    return tuple(_call(call, place) for place, call in enumerate(sent))


def _call(sent: Any, place: int) -> EndpointCall:
    if not isinstance(sent, dict):
        raise WrongReply(
            wrong_type(gettext_noop("it must be an object, not %(type)s"), sent).under("tool_calls", place)
        )
    name, outcome = sent.get("name"), sent.get("outcome")
    if not isinstance(name, str) or not name.strip() or len(name) > LIMITS.tool_name_characters:
        problem = Problem("name", gettext_noop("it must be the name of a tool"))
        raise WrongReply(problem.under("tool_calls", place))
    if outcome is not None and outcome not in OUTCOMES:
        problem = Problem("outcome", gettext_noop("it must be one of %(known)s"), {"known": ", ".join(OUTCOMES)})
        raise WrongReply(problem.under("tool_calls", place))
    arguments = _arguments(sent.get("arguments"), place)
    return EndpointCall(storable(name), arguments, _result(sent.get("result")), outcome or "ok")


def _arguments(sent: Any, place: int) -> Any:
    """An object; its JSON as a text is taken too, as in the chat API."""
    if sent is None or isinstance(sent, dict):
        return sent or {}
    if isinstance(sent, str):
        return read_arguments(sent)[0]
    wrong = wrong_type(gettext_noop("it must be an object, not %(type)s"), sent)
    raise WrongReply(wrong.under("tool_calls", place, "arguments"))


def _result(sent: Any) -> str | None:
    if sent is None or isinstance(sent, str):
        return None if sent is None else storable(sent)
    return storable(json.dumps(sent, ensure_ascii=False))


def _usage(sent: Mapping[str, Any]) -> Usage | None:
    usage = sent.get("usage")
    if usage is not None and not isinstance(usage, dict):
        raise WrongReply(wrong_type(gettext_noop("it must be an object, not %(type)s"), usage).under("usage"))
    return read_usage(usage)


def _cost(sent: Any) -> Decimal | None:
    if sent is None:
        return None
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not 0 <= sent <= LIMITS.model_price:
        raise WrongReply(Problem("cost", gettext_noop("it must be a number of USD from 0, or null")))
    return Decimal(repr(sent))
