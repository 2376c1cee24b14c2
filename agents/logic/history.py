"""Earlier messages of a conversation as a chat API takes them, whatever was cut short before."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

UNFINISHED = "There is no result: this call was never finished."
Sent = Mapping[str, Any]


def sendable(messages: Sequence[Sent]) -> list[dict[str, Any]]:
    """The messages in order, in the shape of the chat API, so that no API refuses them.

    Each call has exactly one result behind it, in the order of the calls: one that never came is said so, one without
    its call is left out. Instructions of the system are left out, since the agent's own stand in front, and so are
    answers that say nothing.
    """
    found: list[dict[str, Any]] = []
    for place, message in enumerate(messages):
        if message["role"] == "user":
            found.append({"role": "user", "content": message["content"]})
        elif message["role"] == "assistant":
            found += _answered(message, _results_after(messages, place))
    return found


def _results_after(messages: Sequence[Sent], place: int) -> Iterable[Sent]:
    for message in messages[place + 1 :]:
        if message["role"] != "tool":
            return
        yield message


def _answered(message: Sent, results: Iterable[Sent]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls") or ()
    if not calls:
        return [{"role": "assistant", "content": message["content"]}] if message["content"].strip() else []
    texts: dict[str, list[str]] = {}
    for result in results:
        texts.setdefault(result["tool_call_id"], []).append(result["content"])
    found: list[dict[str, Any]] = [
        {"role": "assistant", "content": message["content"] or None, "tool_calls": list(calls)}
    ]
    for call in calls:
        waiting = texts.get(call["id"])
        text = waiting.pop(0) if waiting else UNFINISHED
        found.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return found
