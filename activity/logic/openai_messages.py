"""Reading messages in the shape of the OpenAI chat API, as its clients and its many imitators write them (PL-32)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from activity.logic.sent_values import NOT_TEXT, Wrong, read_money, read_seconds, read_text, read_tokens
from agents.logic.usage import Usage
from core.json_values import compact
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.strict_json import JSONFault, read_json
from core.texts import too_long, unknown_keys, wrong_type

# `developer` is what newer models call the instructions, `function` what older ones called a tool.
ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
OUTCOMES = ("ok", "failed", "blocked")
MEASURES = ("model", "usage", "input_tokens", "cached_tokens", "output_tokens", "cost", "seconds", "latency_ms")
# What the openai client's own messages carry besides; nothing of it is lost that a reader would miss.
TOLERATED = ("annotations", "audio", "parsed", "reasoning", "reasoning_content", "prefix", "tool_plan")
KNOWN = (
    "role",
    "content",
    "name",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "refusal",
    "outcome",
    "is_error",
    *MEASURES,
    *TOLERATED,
)
_KNOWN = frozenset(KNOWN)
_MEASURES = frozenset(MEASURES)
TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
MARKERS = {
    "image_url": "[image]",
    "input_image": "[image]",
    "image": "[image]",
    "input_audio": "[audio]",
    "audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
    "video_url": "[video]",
}


@dataclass(slots=True)
class SentMessage:
    """One message as it is stored; `tool_calls` as `{"id", "name", "arguments"}`."""

    role: str
    text: str = ""
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    tool_call_id: str = ""
    tool_name: str = ""
    outcome: str = ""
    model: str = ""
    usage: Usage | None = None
    cost: Decimal | None = None
    seconds: float | None = None

    @property
    def words(self) -> str:
        """What makes it the same message when a client sends the whole conversation again: role and content."""
        return f"{self.role}\n{self.text}\n{compact(self.tool_calls)}"


def read_messages(value: Any, wrong: Wrong) -> list[SentMessage]:
    """The messages of a run, oldest first; what is wrong is named by `messages.<place>.<field>`."""
    if not isinstance(value, list) or not value:
        text = gettext_noop("Give the messages of the run: a list of one or more.")
        wrong.append(Problem("messages", text))
        return []
    if len(value) > LIMITS.messages_a_run:
        text, values = gettext_noop("At most %(limit)d; this has %(count)d."), {"limit": LIMITS.messages_a_run}
        wrong.append(Problem("messages", text, {**values, "count": len(value)}))
        return []
    messages: list[SentMessage] = []
    for place, item in enumerate(value):
        mine: Wrong = []
        messages.append(read_message(item, mine))
        if mine:
            wrong += [problem.under("messages", place) for problem in mine]
    name_tools(messages)
    return messages


def read_message(item: Any, wrong: Wrong) -> SentMessage:
    """One message; what is wrong with it is added to `wrong`."""
    if not isinstance(item, dict):
        wrong.append(wrong_type(gettext_noop("A message is an object with role and content, not %(type)s."), item))
        return SentMessage("user")
    if item.keys() - _KNOWN:
        wrong += unknown_keys(item, KNOWN)
    sent_role = item.get("role")
    role = ROLES.get(sent_role) if isinstance(sent_role, str) else None
    if role is None:
        wrong.append(Problem("role", gettext_noop("The role is system, developer, user, assistant or tool.")))
        role = "user"
    message = SentMessage(role, read_content(item.get("content"), wrong))
    if role == "assistant":
        _read_assistant(item, message, wrong)
    elif role == "tool":
        _read_tool(item, message, wrong)
    if item.keys() & _MEASURES:
        _read_measures(item, message, wrong)
    return message


def read_content(content: Any, wrong: Wrong) -> str:
    """The text of `content`: a text, or a list of parts whose texts are joined by line breaks.

    A part without text, such as an image, leaves a marker: that it was there is not lost, what it held is not kept.
    """
    if isinstance(content, str):
        text = content
    elif content is None:
        return ""
    elif isinstance(content, list):
        parts: Wrong = []
        text = "\n".join(_part(part, place, parts) for place, part in enumerate(content))
        wrong += [problem.under("content") for problem in parts]
    else:
        wrong.append(wrong_type(gettext_noop("Content is text or a list of parts, not %(type)s."), content))
        wrong[-1] = wrong[-1].under("content")
        return ""
    if len(text) > LIMITS.message_characters:
        wrong.append(too_long(LIMITS.message_characters, len(text)).under("content"))
        return ""
    return text


def _part(part: Any, place: int, wrong: Wrong) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or not kind:
        text = gettext_noop("A part is an object with a type, such as text.")
        wrong.append(Problem(str(place), text))
        return ""
    name = TEXT_PARTS.get(kind)
    if name is None:
        return MARKERS.get(kind) or f"[{kind[:40]}]"
    found = part.get(name)
    if not isinstance(found, str):
        wrong.append(wrong_type(NOT_TEXT, found).under(place, name))
        return ""
    return found


def _read_assistant(item: Mapping[str, Any], message: SentMessage, wrong: Wrong) -> None:
    refusal = item.get("refusal")
    if refusal is not None and not message.text:
        message.text = read_text(refusal, LIMITS.message_characters, name="refusal", wrong=wrong, blank=True)
    calls = item.get("tool_calls")
    if calls is not None:
        if isinstance(calls, list):
            for place, call in enumerate(calls):
                mine: Wrong = []
                message.tool_calls.append(read_call(call, mine))
                wrong += [problem.under("tool_calls", place) for problem in mine]
        else:
            wrong.append(wrong_type(gettext_noop("This must be a list, not %(type)s."), calls).under("tool_calls"))
    older = item.get("function_call")
    if older is not None:
        mine = []
        message.tool_calls.append(read_call({"function": older}, mine))
        inside = [replace(each, field=each.field.removeprefix("function").removeprefix(".")) for each in mine]
        wrong += [problem.under("function_call") for problem in inside]


def read_call(call: Any, wrong: Wrong) -> dict[str, Any]:
    """A tool call: `{"id", "function": {"name", "arguments"}}`, or name and arguments beside the id."""
    if not isinstance(call, dict):
        wrong.append(wrong_type(gettext_noop("A tool call is an object, not %(type)s."), call))
        return {}
    place = next((name for name in ("function", "custom") if call.get(name) is not None), "")
    inner = call[place] if place else call
    if not isinstance(inner, dict):
        wrong.append(wrong_type(gettext_noop("This must be an object, not %(type)s."), inner).under(place))
        return {}
    path = f"{place}." if place else ""
    name = read_text(inner.get("name"), LIMITS.tool_name_characters, name=f"{path}name", wrong=wrong)
    if inner.get("name") is None:
        wrong.append(Problem(f"{path}name", gettext_noop("A tool call needs the name of its tool.")))
    sent_id = read_text(call.get("id"), LIMITS.external_id_characters, name="id", wrong=wrong, blank=True)
    arguments = inner["input"] if place == "custom" and "input" in inner else inner.get("arguments")
    return {"id": sent_id, "name": name, "arguments": read_arguments(arguments, f"{path}arguments", wrong)}


def read_arguments(arguments: Any, name: str, wrong: Wrong) -> Any:
    """The arguments as an object; as the text that was sent where that is no JSON object."""
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, dict):
        if len(compact(arguments)) > LIMITS.message_characters:
            wrong.append(too_long(LIMITS.message_characters, len(compact(arguments))).under(name))
        return arguments
    if not isinstance(arguments, str):
        wrong.append(wrong_type(gettext_noop("Arguments are text or an object, not %(type)s."), arguments).under(name))
        return {}
    if len(arguments) > LIMITS.message_characters:
        wrong.append(too_long(LIMITS.message_characters, len(arguments)).under(name))
        return {}
    try:
        found = read_json(arguments)
    except JSONFault:
        return arguments
    return found if isinstance(found, dict) else arguments


def _read_tool(item: Mapping[str, Any], message: SentMessage, wrong: Wrong) -> None:
    most = LIMITS.external_id_characters
    message.tool_call_id = read_text(item.get("tool_call_id"), most, name="tool_call_id", wrong=wrong, blank=True)
    message.tool_name = read_text(item.get("name"), LIMITS.tool_name_characters, name="name", wrong=wrong, blank=True)
    outcome, is_error = item.get("outcome"), item.get("is_error")
    message.outcome = "ok"
    if outcome is not None:
        if outcome in OUTCOMES:
            message.outcome = outcome
        else:
            wrong.append(Problem("outcome", gettext_noop("The outcome is ok, failed or blocked.")))
    elif isinstance(is_error, bool):
        message.outcome = "failed" if is_error else "ok"
    elif is_error is not None:
        wrong.append(Problem("is_error", gettext_noop("This must be true or false.")))


def _read_measures(item: Mapping[str, Any], message: SentMessage, wrong: Wrong) -> None:
    message.model = read_text(item.get("model"), LIMITS.model_name_characters, name="model", wrong=wrong, blank=True)
    message.usage = read_tokens(item, wrong)
    message.cost = read_money(item.get("cost"), name="cost", wrong=wrong)
    message.seconds = read_seconds(item, wrong)


def name_tools(messages: Sequence[SentMessage]) -> None:
    """Give each tool's message the name of its tool, from the call that it answers."""
    names: dict[str, str] = {}
    for message in messages:
        for call in message.tool_calls:
            if call:
                names[call["id"]] = call["name"]
        if message.role == "tool" and not message.tool_name:
            message.tool_name = names.get(message.tool_call_id, "")


def question_of(messages: Sequence[SentMessage]) -> str:
    """What a run answers: the last that a person said."""
    return next((each.text for each in reversed(messages) if each.role == "user"), "")


def own_part(messages: Sequence[SentMessage]) -> Sequence[SentMessage]:
    """The messages from the question on, which are the run's own; all where nobody asked."""
    last = next((place for place in range(len(messages) - 1, -1, -1) if messages[place].role == "user"), 0)
    return messages[last:]
