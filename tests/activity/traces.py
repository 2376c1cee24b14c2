"""Spans for tests: sent as JSON with few words, or recorded by the SDK that agents use."""

import json
from typing import Any

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECOND = 1_000_000_000
BEGAN = 1_790_000_000 * SECOND


def span(span_id: int, parent: int = 0, *, at: float = 0, took: float = 1, **fields: Any) -> dict[str, Any]:
    """A span in JSON; `attributes` are plain values, `error` is the message of a failed one."""
    error = fields.pop("error", None)
    attributes = [{"key": key, "value": value_of(value)} for key, value in fields.pop("attributes", {}).items()]
    events = [
        {"name": name, "attributes": [{"key": key, "value": value_of(value)} for key, value in more.items()]}
        for name, more in fields.pop("events", [])
    ]
    made = {
        "traceId": fields.pop("trace", TRACE),
        "spanId": f"{span_id:016x}",
        "name": "span",
        "startTimeUnixNano": str(BEGAN + int(at * SECOND)),
        "endTimeUnixNano": str(BEGAN + int((at + took) * SECOND)),
        "attributes": attributes,
        "events": events,
        **fields,
    }
    if parent:
        made["parentSpanId"] = f"{parent:016x}"
    if error is not None:
        made["status"] = {"code": 2, "message": error}
    return made


def value_of(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [value_of(each) for each in value]}}
    if isinstance(value, dict):
        pairs = [{"key": key, "value": value_of(each)} for key, each in value.items()]
        return {"kvlistValue": {"values": pairs}}
    return {"stringValue": value}


def request(*spans: dict[str, Any], **resource: Any) -> dict[str, Any]:
    """The body of a request; dots in the resource's names are written as two underscores."""
    named = [{"key": key.replace("__", "."), "value": value_of(value)} for key, value in resource.items()]
    return {"resourceSpans": [{"resource": {"attributes": named}, "scopeSpans": [{"spans": list(spans)}]}]}


def parts(*said: tuple[str, Any]) -> str:
    """Messages as the present conventions write them: `("user", "Hi")`, or a role and a list of parts."""
    return json.dumps(
        [
            {"role": role, "parts": [{"type": "text", "content": what}] if isinstance(what, str) else what}
            for role, what in said
        ]
    )


ASKED = ("user", "Where is order 12?")
CALLED = ("assistant", [{"type": "tool_call", "id": "call_1", "name": "find_order", "arguments": {"number": 12}}])
FOUND = ("tool", [{"type": "tool_call_response", "id": "call_1", "response": {"state": "sent"}}])
ANSWERED = ("assistant", "It was sent on Monday.")
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "small-1"}


def agent_trace(agent_id: str = "", **more: Any) -> list[dict[str, Any]]:
    """An agent that calls its model, a tool and its model again, in the present conventions; children come first."""
    named = {"gen_ai.agent.id": agent_id} if agent_id else {}
    root = {"gen_ai.operation.name": "invoke_agent", **named, **more}
    tokens = {"gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 10}
    first = {"gen_ai.input.messages": parts(ASKED), "gen_ai.output.messages": parts(CALLED)}
    second = {"gen_ai.input.messages": parts(ASKED, CALLED, FOUND), "gen_ai.output.messages": parts(ANSWERED)}
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_order", "gen_ai.tool.call.id": "call_1"}
    return [
        span(2, 1, at=0.1, took=1, attributes={**CHAT, **tokens, **first}),
        span(3, 1, at=1.2, took=0.5, attributes={**tool, "gen_ai.tool.call.result": '{"state":"sent"}'}),
        span(4, 1, at=2, took=1, attributes={**CHAT, **tokens, **second}),
        span(1, at=0, took=3.5, attributes=root),
    ]
