"""What a span of an AI agent is, and what its attributes say besides messages: model, tokens, person, tool (PL-33)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from activity.logic.openai_messages import SentMessage
from activity.logic.otel_messages import Said, said_in, text_of
from activity.logic.otel_spans import ERROR, WireSpan
from activity.logic.sent_values import MOST_TOKENS, read_money
from agents.logic.usage import Usage
from core.limits import LIMITS

AGENT, WORKFLOW, CHAT, TOOL = "agent", "workflow", "chat", "tool"
OPERATIONS = {
    "invoke_agent": AGENT,
    "invoke_workflow": WORKFLOW,
    "chat": CHAT,
    "text_completion": CHAT,
    "generate_content": CHAT,
    "execute_tool": TOOL,
}
OPENINFERENCE = {"AGENT": AGENT, "CHAIN": WORKFLOW, "LLM": CHAT, "TOOL": TOOL}
OPENLLMETRY = {"agent": AGENT, "workflow": WORKFLOW, "tool": TOOL}
# What is kept of a span; the rest may hold anything and nobody would read it.
KEPT = (
    "gen_ai.",
    "llm.",
    "openinference.",
    "traceloop.",
    "input.",
    "output.",
    "user.",
    "enduser.",
    "session.",
    "tool.",
)
KEPT_WHOLE = ("error.type",)
PERSON = ("user.id", "enduser.id", "traceloop.association.properties.user_id")
CONVERSATION = (
    "gen_ai.conversation.id",
    "session.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.thread_id",
)
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
INPUT_TOKENS = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
OUTPUT_TOKENS = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
CACHED_TOKENS = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.input_tokens.cached",
    "gen_ai.usage.cached_tokens",
    "llm.token_count.prompt_details.cache_read",
)
COST = ("gen_ai.usage.cost", "llm.cost.total")
TOOL_NAME = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
TOOL_INPUT = ("gen_ai.tool.call.arguments", "input.value", "tool.parameters", "traceloop.entity.input")
TOOL_OUTPUT = ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output")
SAID_INPUT, SAID_OUTPUT = ("input.value", "traceloop.entity.input"), ("output.value", "traceloop.entity.output")


def kind_of(attributes: Mapping[str, Any]) -> str:
    """agent, workflow, chat or tool; empty for every other span."""
    operation = attributes.get("gen_ai.operation.name")
    if isinstance(operation, str) and operation:
        return OPERATIONS.get(operation, "")
    found = OPENINFERENCE.get(str(attributes.get("openinference.span.kind", "")).upper())
    found = found or OPENLLMETRY.get(str(attributes.get("traceloop.span.kind", "")))
    if found:
        return found
    if "gen_ai.tool.name" in attributes:
        return TOOL
    asked = attributes.get("llm.request.type") in ("chat", "completion") or "gen_ai.request.model" in attributes
    return CHAT if asked and any(name in attributes for name in ("gen_ai.system", "gen_ai.provider.name")) else ""


def content_of(span: WireSpan) -> dict[str, Any]:
    """What is kept of a span until its run is made; of one that is no agent's, only whether it has a parent here."""
    kind = kind_of(span.attributes)
    here = {"is_outermost": span.has_no_parent_here}
    if not kind:
        return here
    kept = {name: value for name, value in span.attributes.items() if name.startswith(KEPT) or name in KEPT_WHOLE}
    events = [[each.name, each.attributes] for each in span.events]
    return here | {
        "kind": kind,
        "name": span.name[: LIMITS.tool_name_characters],
        "attributes": kept,
        "events": [event for event in events if str(event[0]).startswith(("gen_ai.", "exception"))],
        "error": _error(span),
    }


def _error(span: WireSpan) -> str | None:
    """Why the span failed, None where it did not: by its status, or by an exception that it let through."""
    exceptions = [each.attributes for each in span.events if each.name == "exception"]
    if span.status != ERROR:
        return None
    said = span.status_message or next((text_of(each.get("exception.message")) for each in exceptions), "")
    return (said or text_of(span.attributes.get("error.type")))[: LIMITS.run_error_characters]


@dataclass
class Node:
    """A kept span in its trace. Times count nanoseconds."""

    span_id: str
    parent_id: str
    started_ns: int
    ended_ns: int
    content: Mapping[str, Any]
    above: "Node | None" = field(default=None, repr=False)

    @property
    def kind(self) -> str:
        return str(self.content.get("kind", ""))

    @property
    def is_outermost(self) -> bool:
        return bool(self.content.get("is_outermost"))

    @property
    def attributes(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.content.get("attributes", {})
        return found

    @property
    def error(self) -> str | None:
        found: str | None = self.content.get("error")
        return found

    @property
    def seconds(self) -> float:
        return (self.ended_ns - self.started_ns) / 1e9

    @cached_property
    def said(self) -> Said:
        """Its messages; those of an agent or a chain may stand in general attributes as plain text."""
        found = said_in(self.attributes, [(name, more) for name, more in self.content.get("events", [])])
        if self.kind in (AGENT, WORKFLOW):
            asked, answered = first(self.attributes, SAID_INPUT), first(self.attributes, SAID_OUTPUT)
            if not found.input and asked is not None:
                found.input = [SentMessage("user", text_of(asked))]
            if not found.output and answered is not None:
                found.output = [SentMessage("assistant", text_of(answered))]
        return found

    @cached_property
    def usage(self) -> Usage | None:
        """Its tokens. Cached ones are a part of the input; where they are more, they were counted beside it (BC-37)."""
        read, written = _count(self.attributes, INPUT_TOKENS), _count(self.attributes, OUTPUT_TOKENS)
        if read is None and written is None:
            return None
        cached = _count(self.attributes, CACHED_TOKENS) or 0
        whole = read or 0
        return Usage(whole + cached if cached > whole else whole, cached, written or 0)

    @property
    def cost(self) -> Decimal | None:
        return read_money(first(self.attributes, COST), name="", wrong=[])

    @property
    def model(self) -> str:
        return str(first(self.attributes, MODEL) or "")[: LIMITS.model_name_characters]


def first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first of these attributes that is there."""
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)


def own_id(attributes: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """An integrator's id among these attributes; one that is too long is none."""
    found = first(attributes, names)
    text = str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""
    return text if text.strip() and len(text) <= LIMITS.external_id_characters else None


def _count(attributes: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    found = first(attributes, names)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_TOKENS else None
