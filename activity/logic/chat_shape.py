"""A message as the OpenAI chat API writes it."""

import json
from typing import Any, Protocol


class Said(Protocol):
    """What a message must have to be written so."""

    role: str
    text: str
    tool_calls: list[dict[str, Any]]
    tool_call_id: str
    tool_name: str


def chat_message(message: Said) -> dict[str, Any]:
    """`role` and `content`, and where there are any `tool_calls`, or the call that a tool's result answers."""
    shaped: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        shaped |= {"tool_call_id": message.tool_call_id, "name": message.tool_name}
    elif message.tool_calls:
        shaped["tool_calls"] = [_call(call) for call in message.tool_calls]
    return shaped


def _call(call: dict[str, Any]) -> dict[str, Any]:
    """A call whose arguments are text, as the chat API wants them."""
    arguments = call.get("arguments", "")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call.get("id", ""), "type": "function", "function": {"name": call.get("name", ""), "arguments": text}}
