"""Putting a streamed chat completion together from its chunks, whatever habits its provider has (PL-20)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.logic.usage import Usage, read_usage


class NotAChunk(ValueError):
    """The chunk is none of the chat completions API."""


@dataclass
class CallPieces:
    """One tool call while its pieces come in."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Assembly:
    """What has come in so far; `add` each chunk in order, read the rest at the end.

    Known habits: pieces told apart by `index`; whole calls without an index, or each with index 0 and an id of its own;
    empty or repeated names and ids in later pieces; no ids at all; arguments as an object; usage in the last chunk,
    which has no choices, in each chunk as a sum so far, or nowhere.
    """

    text: str = ""
    refusal: str = ""
    finish_reason: str = ""
    model: str = ""
    usage: Usage | None = None
    _calls: list[CallPieces] = field(default_factory=list)
    _by_index: dict[int, CallPieces] = field(default_factory=dict)

    def add(self, chunk: Any) -> str:
        """Take in one chunk; the text that it adds. Raises `NotAChunk`."""
        if not isinstance(chunk, Mapping):
            raise NotAChunk("no object")
        self.model = _text(chunk.get("model")) or self.model
        self.usage = read_usage(chunk.get("usage")) or self.usage
        choices = chunk.get("choices")
        if choices is not None and not isinstance(choices, list):
            raise NotAChunk("choices are no list")
        added = ""
        for choice in (choices or [])[:1]:
            if not isinstance(choice, Mapping):
                raise NotAChunk("a choice is no object")
            self.finish_reason = _text(choice.get("finish_reason")) or self.finish_reason
            added += self._add_delta(choice.get("delta") or choice.get("message") or {})
        return added

    def tool_calls(self) -> tuple[Mapping[str, Any], ...]:
        """The calls in the shape of the chat API, each with an id of its own; those that never got a name left out."""
        taken: set[str] = set()
        found = []
        for number, call in enumerate((call for call in self._calls if call.name), start=1):
            name = call.id if call.id and call.id not in taken else _free(f"call_{number}", taken)
            taken.add(name)
            function = {"name": call.name, "arguments": call.arguments or "{}"}
            found.append({"id": name, "type": "function", "function": function})
        return tuple(found)

    def _add_delta(self, delta: Any) -> str:
        if not isinstance(delta, Mapping):
            raise NotAChunk("a delta is no object")
        added = content_text(delta.get("content"))
        self.text += added
        self.refusal += _text(delta.get("refusal"))
        calls = delta.get("tool_calls") or []
        if not isinstance(calls, list):
            raise NotAChunk("tool_calls are no list")
        for piece in calls:
            if not isinstance(piece, Mapping):
                raise NotAChunk("a tool call is no object")
            self._add_call(piece)
        return added

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        function = piece.get("function") or {}
        if not isinstance(function, Mapping):
            raise NotAChunk("a function is no object")
        sent = CallPieces(_text(piece.get("id")), _text(function.get("name")), _arguments(function.get("arguments")))
        call = self._call_of(piece.get("index"), sent)
        call.id = call.id or sent.id
        if sent.name != call.name:
            call.name += sent.name
        call.arguments += sent.arguments

    def _call_of(self, index: Any, sent: CallPieces) -> CallPieces:
        """The call that a piece belongs to; a new one where its index, or else its id, was not seen before."""
        if isinstance(index, int):
            known = self._by_index.get(index)
            if known is not None and not _begins_another(known, sent):
                return known
        else:
            known = next((call for call in self._calls if sent.id and call.id == sent.id), None)
            if known is not None:
                return known
            if self._calls and not sent.id and not sent.name:
                return self._calls[-1]
        call = CallPieces()
        self._calls.append(call)
        if isinstance(index, int):
            self._by_index[index] = call
        return call


def _begins_another(known: CallPieces, sent: CallPieces) -> bool:
    """Whether a piece under the same index is another whole call: another id, or a name after complete arguments."""
    if sent.id and known.id and sent.id != known.id:
        return True
    return bool(sent.name and sent.arguments.startswith("{") and _is_object(known.arguments))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def content_text(content: Any) -> str:
    """The text of a message's content: a text, or the text parts of a list; other parts say nothing here."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part_text(part) for part in content)
    raise NotAChunk("content is no text")


def _part_text(part: Any) -> str:
    return _text(part.get("text")) if isinstance(part, Mapping) else ""


def _arguments(sent: Any) -> str:
    """Arguments are a text; some send the object itself."""
    return "" if sent is None else sent if isinstance(sent, str) else json.dumps(sent)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _free(name: str, taken: Iterable[str]) -> str:
    return name if name not in taken else _free(f"{name}_", taken)
