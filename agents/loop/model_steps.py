"""One step of a model as it is kept: its text, its calls, its cost, and whether it ends the answer (PL-23)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from agents.logic.arguments import read_arguments, storable
from agents.logic.usage import Prices, cost_of
from agents.loop.events import CUT_OFF, FILTERED, NO_ANSWER, Ended, Ending, ModelStep
from agents.provider import Cause, ProviderFailure, Reply
from core.limits import LIMITS

# Why a model stopped, in the words of the chat API.
AT_MOST_TOKENS, AT_FILTER = "length", "content_filter"
PASSING = {Cause.UNREACHABLE, Cause.TIMED_OUT, Cause.RATE_LIMITED, Cause.BROKEN}


def step_of(reply: Reply, prices: Prices | None) -> ModelStep:
    """What is kept of a reply; the words of a refusal are its text. The cost is None where it cannot be known."""
    cost = None if reply.usage is None or prices is None else cost_of(reply.usage, prices)
    return ModelStep(
        text=storable(reply.text or reply.refusal)[: LIMITS.message_characters],
        tool_calls=tuple(_call(call) for call in reply.tool_calls),
        model=storable(reply.model)[: LIMITS.model_name_characters],
        usage=reply.usage,
        cost=cost,
        seconds=reply.seconds,
        finish_reason=reply.finish_reason,
    )


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    name = storable(call["function"]["name"])[: LIMITS.tool_name_characters]
    arguments, _fault = read_arguments(call["function"]["arguments"])
    return {"id": storable(call["id"])[: LIMITS.external_id_characters], "name": name, "arguments": arguments}


def end_after(step: ModelStep) -> Ended | None:
    """How a step ends the answer, or None where its tools are to be called. Only a whole text completes it."""
    if step.finish_reason == AT_MOST_TOKENS:
        words = _("The model's answer was cut off: it reached the most tokens it may write.")
        return Ended(Ending.FAILED, words, cause=CUT_OFF)
    if step.finish_reason == AT_FILTER:
        return Ended(Ending.FAILED, _("The provider's content filter stopped the answer."), cause=FILTERED)
    if step.tool_calls:
        return None
    if not step.text.strip():
        return Ended(Ending.FAILED, _("The model ended without an answer."), cause=NO_ANSWER)
    return Ended(Ending.COMPLETED)


def failed(failure: ProviderFailure) -> Ended:
    """The end that a provider's failure means, with what the provider said about it."""
    said = storable(failure.said).strip()
    return Ended(Ending.FAILED, f"{failure} {said}".strip(), may_pass=failure.cause in PASSING, cause=_kind(failure))


def _kind(failure: ProviderFailure) -> str:
    return failure.cause.value if failure.status is None else f"{failure.cause.value} {failure.status}"


def named(step: ModelStep, model: str) -> ModelStep:
    """The step with the model's name where the provider did not say one."""
    return step if step.model else replace(step, model=model)
