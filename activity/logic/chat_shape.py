"""A message as the OpenAI chat API writes it, and a run as the ingest API takes it."""

import json
from collections.abc import Sequence
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


def sent_run(run: Any, messages: Sequence[Any]) -> dict[str, Any]:
    """The run as `POST /api/v1/runs` takes it (PL-32); what nobody said is left out."""
    conversation, person = run.conversation, run.person
    about = {
        "agent": str(run.agent_id) if run.agent_id else None,
        "version": run.agent_version.number if run.agent_version else None,
        "conversation": conversation.external_id if conversation else None,
        "person": person.external_id if person else None,
    }
    ends = {
        "status": str(run.status),
        "error": run.error or None,
        "kind": str(run.kind),
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "idempotency_key": run.idempotency_key,
    }
    whole = {**about, "messages": [_sent_message(each) for each in messages], **_measures(run), **ends}
    return {name: value for name, value in whole.items() if value is not None}


def _sent_message(message: Any) -> dict[str, Any]:
    outcome = {"outcome": str(message.outcome)} if message.outcome else {}
    return {**chat_message(message), **outcome, **_measures(message)}


def _measures(of: Any) -> dict[str, Any]:
    values = {
        "model": of.model or None,
        "input_tokens": of.input_tokens,
        "cached_tokens": of.cached_tokens,
        "output_tokens": of.output_tokens,
        "cost": None if of.cost is None else float(of.cost),
        "seconds": of.seconds,
    }
    return {name: value for name, value in values.items() if value is not None}
