"""WireSpan: a span as OTLP sends it, read from either of its two spellings, protobuf and JSON (PL-33)."""

import base64
import binascii
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

ERROR = 2
SERVER, CONSUMER = 2, 5
# Bits of a span's flags: the second says whether the parent is another process's, the first whether that is known.
REMOTE_IS_KNOWN, IS_REMOTE = 0x100, 0x200
MOST_NS = 2**63 - 1


class NotOtlp(ValueError):
    """The body is not what OTLP sends."""


@dataclass(slots=True)
class WireEvent:
    """Something that happened during a span."""

    name: str
    attributes: dict[str, Any]


@dataclass(slots=True)
class WireSpan:
    """One span. Ids are hexadecimal; `resource` holds the attributes of what sent it; times count nanoseconds."""

    trace_id: str
    span_id: str
    parent_id: str = ""
    name: str = ""
    kind: int = 0
    flags: int = 0
    started_ns: int = 0
    ended_ns: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[WireEvent] = field(default_factory=list)
    status: int = 0
    status_message: str = ""
    resource: dict[str, Any] = field(default_factory=dict)

    @property
    def has_no_parent_here(self) -> bool:
        """Whether it is the outermost span of its process, so that nothing above it is waited for."""
        remote = bool(self.flags & REMOTE_IS_KNOWN and self.flags & IS_REMOTE)
        return not self.parent_id or remote or self.kind in (SERVER, CONSUMER)

    @property
    def is_whole(self) -> bool:
        """Whether it has the ids that every span must have."""
        return _is_id(self.trace_id, 32) and _is_id(self.span_id, 16)


def spans_of_message(request: Any) -> list[WireSpan]:
    """The spans of an `ExportTraceServiceRequest`."""
    found = []
    for group in request.resource_spans:
        resource = _attributes_of_message(group.resource.attributes)
        for scope in group.scope_spans:
            for span in scope.spans:
                one = WireSpan(span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex(), _clean(span.name))
                one.kind, one.flags, one.resource = span.kind, span.flags, resource
                one.started_ns, one.ended_ns = _times(span.start_time_unix_nano, span.end_time_unix_nano)
                one.attributes = _attributes_of_message(span.attributes)
                one.events = [WireEvent(each.name, _attributes_of_message(each.attributes)) for each in span.events]
                one.status, one.status_message = span.status.code, _clean(span.status.message)
                found.append(one)
    return found


def _attributes_of_message(pairs: Iterable[Any]) -> dict[str, Any]:
    return {_clean(pair.key): _value_of_message(pair.value) for pair in pairs}


def _value_of_message(value: Any) -> Any:
    kind = value.WhichOneof("value")
    match kind:
        case None:
            return None
        case "array_value":
            return [_value_of_message(each) for each in value.array_value.values]
        case "kvlist_value":
            return _attributes_of_message(value.kvlist_value.values)
        case "bytes_value":
            return base64.b64encode(value.bytes_value).decode()
    return _plain(getattr(value, kind))


def spans_of_json(body: Any) -> list[WireSpan]:
    """The spans of the JSON spelling: names in lowerCamelCase, ids hexadecimal, large numbers as text.

    Unknown names are ignored, as OTLP wants it. Raises `NotOtlp`.
    """
    found = []
    for group in _list(_object(body), "resourceSpans"):
        resource = _attributes_of_json(_object(group.get("resource") or {}))
        for scope in _list(group, "scopeSpans"):
            found += [_span_of_json(span, resource) for span in _list(scope, "spans")]
    return found


def _span_of_json(span: Mapping[str, Any], resource: dict[str, Any]) -> WireSpan:
    trace_id, span_id, parent_id = (_text(span.get(name)).lower() for name in ("traceId", "spanId", "parentSpanId"))
    one = WireSpan(trace_id, span_id, parent_id, _text(span.get("name")))
    one.kind, one.flags, one.resource = _enum(span.get("kind"), KINDS), _whole(span.get("flags")), resource
    one.started_ns, one.ended_ns = _times(_whole(span.get("startTimeUnixNano")), _whole(span.get("endTimeUnixNano")))
    one.attributes = _attributes_of_json(span)
    one.events = [WireEvent(_text(each.get("name")), _attributes_of_json(each)) for each in _list(span, "events")]
    status = _object(span.get("status") or {})
    one.status, one.status_message = _enum(status.get("code"), STATUSES), _text(status.get("message"))
    return one


PLAIN = ("stringValue", "boolValue", "doubleValue", "bytesValue")
KINDS = {"SPAN_KIND_SERVER": SERVER, "SPAN_KIND_CONSUMER": CONSUMER}
STATUSES = {"STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": ERROR}


def _attributes_of_json(holder: Mapping[str, Any]) -> dict[str, Any]:
    return {_text(pair.get("key")): _value_of_json(pair.get("value")) for pair in _list(holder, "attributes")}


def _value_of_json(value: Any) -> Any:
    if value is None:
        return None
    found = _object(value)
    if "arrayValue" in found:
        inner = _object(found["arrayValue"] or {}).get("values") or []
        if not isinstance(inner, list):
            raise NotOtlp
        return [_value_of_json(each) for each in inner]
    if "kvlistValue" in found:
        inner = _list(_object(found["kvlistValue"] or {}), "values")
        return {_text(pair.get("key")): _value_of_json(pair.get("value")) for pair in inner}
    if "intValue" in found:
        return _whole(found["intValue"])
    plain = next(
        (found[name] for name in ("stringValue", "boolValue", "doubleValue", "bytesValue") if name in found), None
    )
    return _plain(plain) if isinstance(plain, str | bool | int | float) else None


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotOtlp
    return value


def _list(holder: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = holder.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise NotOtlp
    return found


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NotOtlp
    return _clean(value)


def _whole(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, str) and len(value) <= 20:
        try:
            return int(value)
        except ValueError:
            raise NotOtlp from None
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotOtlp
    return value


def _enum(value: Any, names: Mapping[str, int]) -> int:
    return names.get(value, 0) if isinstance(value, str) else _whole(value)


def _times(started: int, ended: int) -> tuple[int, int]:
    """Beginning and end as the columns hold them; a span that seems to end before it began took no time."""
    began = min(max(started, 0), MOST_NS)
    return began, min(max(ended, began), MOST_NS)


def _plain(value: Any) -> Any:
    """A text, number or truth value that can be stored."""
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _clean(text: str) -> str:
    return text.replace("\x00", "\ufffd")


def _is_id(text: str, length: int) -> bool:
    """Hexadecimal digits, not all of them 0."""
    try:
        return len(text) == length and any(binascii.unhexlify(text))
    except (ValueError, binascii.Error):
        return False
