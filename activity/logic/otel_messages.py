"""Messages in the attributes and events of spans, in the spellings of several years of instrumentation (PL-33).

- the present GenAI conventions: `gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.system_instructions`, as
  JSON or structured, each message with parts;
- events `gen_ai.user.message`, `gen_ai.choice` and their like, and the older `gen_ai.content.prompt`;
- `gen_ai.prompt` and `gen_ai.completion`, as JSON, and numbered (`gen_ai.prompt.0.content`) as OpenLLMetry writes them;
- OpenInference: `llm.input_messages.0.message.content`.

What cannot be read is left out: a trace is evidence of what happened, and nobody can send it better a second time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from activity.logic.openai_messages import MARKERS, ROLES, SentMessage, read_arguments
from core.json_values import compact
from core.limits import LIMITS
from core.strict_json import JSONFault, read_json

TRACED_ROLES = ROLES | {"model": "assistant", "ai": "assistant", "human": "user"}


@dataclass(slots=True)
class Said:
    """What went into a model or an agent, and what came out."""

    input: list[SentMessage] = field(default_factory=list)
    output: list[SentMessage] = field(default_factory=list)


def said_in(attributes: Mapping[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]) -> Said:
    """The messages of a span, from the first spelling that holds some, for each side."""
    told = [attributes, *(more for name, more in events if name == "gen_ai.client.inference.operation.details")]
    found = Said()
    for source in told:
        instructions = _instructions(source.get("gen_ai.system_instructions"))
        found.input = found.input or instructions + _listed(source.get("gen_ai.input.messages"), "user")
        found.output = found.output or _listed(source.get("gen_ai.output.messages"), "assistant")
    found.input = found.input or _of_events(events) or _numbered(attributes, "gen_ai.prompt", "user")
    found.input = found.input or _listed(_of_content_event(events, "gen_ai.prompt"), "user")
    found.input = found.input or _listed(attributes.get("gen_ai.prompt"), "user")
    found.input = found.input or _numbered(attributes, "llm.input_messages", "user")
    found.output = found.output or _of_choices(events) or _numbered(attributes, "gen_ai.completion", "assistant")
    found.output = found.output or _listed(_of_content_event(events, "gen_ai.completion"), "assistant")
    found.output = found.output or _listed(attributes.get("gen_ai.completion"), "assistant")
    found.output = found.output or _numbered(attributes, "llm.output_messages", "assistant")
    for message in found.output:
        message.role = "assistant" if message.role == "user" else message.role
    return found


def read_json_or_text(value: Any) -> Any:
    """A value that instrumentation writes as JSON in a text, or the text itself."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value)
    except JSONFault:
        return value


def text_of(value: Any) -> str:
    """Any value as text of a message, shortened to what one may hold."""
    text = value if isinstance(value, str) else "" if value is None else compact(value)
    return text[: LIMITS.message_characters]


def message_of(value: Any, role: str) -> list[SentMessage]:
    """A message in OpenAI's shape or in parts; tools' results in parts become messages of their own."""
    if not isinstance(value, Mapping):
        return [SentMessage(role, text_of(value))] if value not in (None, "") else []
    inner = value.get("message")
    if isinstance(inner, Mapping):
        value = {**value, **inner}
    sent = value.get("role")
    role = TRACED_ROLES.get(sent, role) if isinstance(sent, str) else role
    parts = value.get("parts", value.get("content"))
    message = SentMessage(role)
    results: list[SentMessage] = []
    if isinstance(parts, list):
        _read_parts(parts, message, results)
    else:
        message.text = text_of(parts)
    calls = read_json_or_text(value.get("tool_calls"))
    message.tool_calls += [call for each in calls if (call := call_of(each))] if isinstance(calls, list) else []
    if role == "tool":
        message.tool_call_id = _short(value.get("tool_call_id") or value.get("id"), LIMITS.external_id_characters)
        message.tool_name = _short(value.get("name"), LIMITS.tool_name_characters)
        message.outcome = "ok"
        if results and not message.text:
            return results
    return [*results, message] if message.text or message.tool_calls or not results else results


def _read_parts(parts: Iterable[Any], message: SentMessage, results: list[SentMessage]) -> None:
    texts = []
    for part in parts:
        if not isinstance(part, Mapping):
            texts.append(text_of(part))
            continue
        kind = part.get("type")
        if kind in ("text", "input_text", "output_text", "refusal", None):
            texts.append(text_of(part.get("content", part.get("text", part.get("refusal")))))
        elif kind in ("tool_call", "function_call", "tool_use"):
            message.tool_calls += [call for call in [call_of(part)] if call]
        elif kind in ("tool_call_response", "tool_result"):
            said = next((part[name] for name in ("response", "result", "content") if part.get(name) is not None), "")
            result = SentMessage("tool", text_of(said), outcome="failed" if part.get("is_error") is True else "ok")
            result.tool_call_id = _short(part.get("id") or part.get("tool_use_id"), LIMITS.external_id_characters)
            results.append(result)
        elif kind not in ("reasoning", "thinking"):
            texts.append(MARKERS.get(str(kind)) or f"[{str(part.get('modality') or kind)[:40]}]")
    message.text = "\n".join(text for text in texts if text)[: LIMITS.message_characters]


def call_of(value: Any) -> dict[str, Any] | None:
    """A tool call in any of the spellings, or None where it names no tool."""
    if not isinstance(value, Mapping):
        return None
    inner = value.get("function") if isinstance(value.get("function"), Mapping) else value.get("tool_call")
    source = inner if isinstance(inner, Mapping) else value
    if isinstance(source.get("function"), Mapping):
        source = {**source, **source["function"]}
    name = _short(source.get("name"), LIMITS.tool_name_characters)
    if not name.strip():
        return None
    arguments = source.get("arguments", source.get("input"))
    sent = value.get("id") or source.get("id")
    wrong: list[Any] = []
    read = read_arguments(arguments, "", wrong)
    known = {} if wrong else read
    return {"id": _short(sent, LIMITS.external_id_characters), "name": name, "arguments": known}


def _listed(value: Any, role: str) -> list[SentMessage]:
    found = read_json_or_text(value)
    if isinstance(found, Mapping) and isinstance(found.get("messages"), list):
        found = found["messages"]
    items = found if isinstance(found, list) else [] if found in (None, "") else [found]
    return [message for item in items[: LIMITS.messages_a_run] for message in message_of(item, role)]


def _instructions(value: Any) -> list[SentMessage]:
    found = read_json_or_text(value)
    if found in (None, "", []):
        return []
    return message_of({"role": "system", "parts": found if isinstance(found, list) else [found]}, "system")


def _of_events(events: Sequence[tuple[str, Mapping[str, Any]]]) -> list[SentMessage]:
    """`gen_ai.user.message` and its like: the role stands in the event's name."""
    found = []
    for name, attributes in events:
        role = name.removeprefix("gen_ai.").removesuffix(".message")
        if name == f"gen_ai.{role}.message" and role in ROLES:
            found += message_of({"role": role, **_said(attributes)}, role)
    return found


def _of_choices(events: Sequence[tuple[str, Mapping[str, Any]]]) -> list[SentMessage]:
    choices = [_said(attributes) for name, attributes in events if name == "gen_ai.choice"]
    return message_of({**choices[0], "role": "assistant"}, "assistant") if choices else []


def _said(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """An event's body, whose parts are JSON in texts."""
    body = read_json_or_text(attributes.get("gen_ai.event.content"))
    given = dict(body) if isinstance(body, Mapping) else dict(attributes)
    for name in ("message", "tool_calls", "parts"):
        if name in given:
            given[name] = read_json_or_text(given[name])
    content = given.get("content")
    if isinstance(content, str) and content.startswith(("[{", "{")):
        read = read_json_or_text(content)
        given["content"] = read if isinstance(read, list) else content
    return given


def _of_content_event(events: Sequence[tuple[str, Mapping[str, Any]]], name: str) -> Any:
    return next((attributes[name] for _event, attributes in events if name in attributes), None)


def _numbered(attributes: Mapping[str, Any], prefix: str, role: str) -> list[SentMessage]:
    """`<prefix>.0.role` …: the tree that dotted names make, as a list of messages."""
    tree = _tree(attributes, prefix)
    return [message for place in _places(tree) for message in message_of(_untangled(tree[place]), role)]


def _tree(attributes: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for name, value in attributes.items():
        if not name.startswith(f"{prefix}."):
            continue
        steps, node = name[len(prefix) + 1 :].split(".")[: LIMITS.json_depth], root
        for step in steps[:-1]:
            below = node.setdefault(step, {})
            if not isinstance(below, dict):
                below = node[step] = {}
            node = below
        node.setdefault(steps[-1], value)
    return root


def _places(tree: Mapping[str, Any]) -> list[str]:
    places = sorted((int(name), name) for name in tree if name.isascii() and name.isdigit() and len(name) < 6)
    return [name for _number, name in places[: LIMITS.messages_a_run]]


def _untangled(node: Any) -> Any:
    """One numbered message, its numbered calls and contents as lists."""
    if not isinstance(node, dict):
        return node
    found = dict(node)
    if isinstance(found.get("message"), dict):
        found |= found.pop("message")
    calls = found.get("tool_calls")
    if isinstance(calls, dict):
        found["tool_calls"] = [calls[place] for place in _places(calls)]
    contents = found.pop("contents", None)
    if isinstance(contents, dict) and "content" not in found:
        inner = [contents[place] for place in _places(contents)]
        found["content"] = [_content(each.get("message_content")) for each in inner if isinstance(each, dict)]
    elif isinstance(found.get("content"), str) and found["content"].startswith("[{"):
        read = read_json_or_text(found["content"])
        found["content"] = read if isinstance(read, list) else found["content"]
    return found


def _content(node: Any) -> Any:
    return {"type": node.get("type", "text"), "text": node.get("text")} if isinstance(node, dict) else node


def _short(value: Any, most: int) -> str:
    return value[:most] if isinstance(value, str) else "" if value is None else json.dumps(value)[:most]
