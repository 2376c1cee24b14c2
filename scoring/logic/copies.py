"""The copy of an answer that a score keeps: a bounded part of it, with its credentials hidden (SC-148, ACC-61)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.json_values import compact
from core.limits import LIMITS
from datasets.logic.credentials import hide, hide_in
from scoring.logic.answers import GradedAnswer, MadeCall

Json = dict[str, Any]

# So much is read for the copy: markers are shorter than what they stand for, so that more than the copy is needed.
READ = LIMITS.score_answer_characters * 4


@dataclass(frozen=True)
class AnswerCopy:
    """`calls` are a list as `call_as_json` gives them; `was_cut` says that the answer or its calls were longer."""

    text: str
    calls: Any
    was_cut: bool


def copy_of(answer: GradedAnswer) -> AnswerCopy:
    """The beginning of the answer, and as many of its calls as a score keeps; credentials are hidden before the cut.

    Cut first, half a key would remain that nobody knows for one.
    """
    text = _hidden_beginning(answer.text)
    kept = text[: LIMITS.score_answer_characters]
    calls = _calls_that_fit(answer.calls)
    hidden = hide_in([call_as_json(call) for call in calls]).value if calls else []
    return AnswerCopy(kept, hidden, was_cut=len(kept) < len(text) or len(calls) < len(answer.calls))


def call_as_json(call: MadeCall) -> Json:
    """The call as scores and waiting answers store it."""
    return {"tool": call.tool, "arguments": call.arguments, "outcome": call.outcome}


def calls_of_json(stored: Sequence[Json]) -> tuple[MadeCall, ...]:
    """The calls that were stored."""
    return tuple(MadeCall(call["tool"], call["arguments"], call["outcome"]) for call in stored)


def _hidden_beginning(text: str) -> str:
    if len(text) <= READ:
        return hide(text).text
    beginning = hide(text[:READ]).text
    # So much was hidden that the end of the beginning, where a key may be cut in two, would be kept: read it all.
    return beginning if len(beginning) > LIMITS.score_answer_characters * 2 else hide(text).text


def _calls_that_fit(calls: Sequence[MadeCall]) -> Sequence[MadeCall]:
    room = LIMITS.score_calls_characters
    for place, call in enumerate(calls):
        room -= len(compact(call_as_json(call)))
        if room < 0:
            return calls[:place]
    return calls
