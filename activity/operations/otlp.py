"""Taking in spans of OpenTelemetry: kept until the run they belong to is whole, and then made into it (PL-33).

As with runs that are sent, no entry of the audit log is written.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.permissions import Permission
from activity.logic.otel_kinds import PERSON, content_of, kind_of, own_id
from activity.logic.otel_spans import WireSpan
from activity.models import TraceSpan
from activity.operations.otlp_runs import settle_traces
from agents.models import Agent
from core.errors import NotAllowed, NotFound
from core.limits import LIMITS

PATIENCE = timedelta(minutes=10)
BATCH = 500


@dataclass
class Rejections:
    """How many spans were not taken, and why, each reason once."""

    count: int = 0
    reasons: dict[str, None] = field(default_factory=dict)

    def add(self, count: int, reason: str) -> None:
        if count:
            self.count += count
            self.reasons[reason] = None

    @property
    def message(self) -> str:
        return " ".join(self.reasons)


@transaction.atomic
def receive_spans(actor: Actor, *, spans: Sequence[WireSpan], agent_id: UUID | None) -> Rejections:
    """Keep the spans, each once, and make or complete the runs that are whole with them; what was not taken and why.

    The agent is the one that a span names by `gen_ai.agent.id`, else the one of its resource's `casebook.agent.id`,
    else `agent_id` of the request: `NotFound` and `NotAllowed` are raised about that one alone.
    """
    rejections = Rejections()
    agents = _Agents(actor, spans, agent_id)
    whole = [span for span in spans if span.is_whole]
    rejections.add(len(spans) - len(whole), _("A span needs the ids of its trace and of itself."))
    rows = [_row(actor, span, agents) for span in whole if not agents.refuses(span)]
    rejections.add(len(whole) - len(rows), _("The agent that is named is not there, or you may not send its runs."))
    # In one order everywhere, so that two requests with the same spans never wait for each other in a circle.
    rows.sort(key=lambda row: (row.trace_id, row.span_id))
    TraceSpan.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
    traces = {row.trace_id for row in rows}
    left_out = settle_traces(actor.organisation, traces, patient=True)
    received = {(row.trace_id, row.span_id) for row in rows}
    for reason, places in left_out.items():
        rejections.add(len(received & places), reason)
    return rejections


def sweep_spans() -> int:
    """Make runs of spans whose outermost one did not come, and forget those past their hours; how many those were.

    Safe to repeat. What belongs to no agent by then is forgotten with the rest.
    """
    now = timezone.now()
    waiting = TraceSpan.objects.filter(is_settled=False, received_at__lt=now - PATIENCE)
    by_organisation: dict[Any, set[str]] = defaultdict(set)
    for span in waiting.select_related("organisation").only("trace_id", "organisation").order_by("received_at")[:5000]:
        by_organisation[span.organisation].add(span.trace_id)
    for organisation, traces in by_organisation.items():
        listed = sorted(traces)
        for start in range(0, len(listed), BATCH):
            with transaction.atomic():
                settle_traces(organisation, listed[start : start + BATCH], patient=False)
    old = TraceSpan.objects.filter(received_at__lt=now - timedelta(hours=LIMITS.span_hours))
    deleted, _by_model = old.delete()
    return deleted


class _Agents:
    """Which agents the spans of a request may belong to."""

    def __init__(self, actor: Actor, spans: Iterable[WireSpan], agent_id: UUID | None) -> None:
        self.default = agent_id
        named = {found for span in spans for found in _named(span)} | ({agent_id} if agent_id else set())
        tested = Agent.objects.tested().filter(pk__in=named)
        visible = set(tested.allowed(actor, Permission.AGENTS_VIEW).values_list("pk", flat=True))
        active = Agent.objects.active().filter(pk__in=visible)
        self.open = set(active.allowed(actor, Permission.AGENTS_RUN).values_list("pk", flat=True))
        if agent_id and agent_id not in visible:
            raise NotFound
        if agent_id and agent_id not in self.open:
            raise NotAllowed

    def agent_of(self, span: WireSpan) -> UUID | None:
        """The first agent named that may be sent to."""
        return next((found for found in (*_named(span), self.default) if found in self.open), None)

    def refuses(self, span: WireSpan) -> bool:
        """Whether its sender named an agent of ours that is not there, or not the sender's to send to."""
        named = span.resource.get("casebook.agent.id") is not None
        return named and bool(kind_of(span.attributes)) and self.agent_of(span) is None


def _named(span: WireSpan) -> list[UUID]:
    """The ids among its names of agents; what is no id of ours is some framework's."""
    sent = (span.attributes.get("gen_ai.agent.id"), span.resource.get("casebook.agent.id"))
    return [found for each in sent if (found := as_id(each)) is not None]


def as_id(value: Any) -> UUID | None:
    """The id, or None where it is none."""
    try:
        return UUID(value) if isinstance(value, str) and len(value) == 36 else None
    except ValueError:
        return None


def _row(actor: Actor, span: WireSpan, agents: _Agents) -> TraceSpan:
    content: Any = content_of(span)
    row = TraceSpan(
        organisation=actor.organisation,
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id[:16],
        started_ns=span.started_ns,
        ended_ns=span.ended_ns,
        content=content,
        is_settled="kind" not in content,
    )
    if not row.is_settled:
        row.agent_id = agents.agent_of(span)
        row.person_external_id = own_id(span.attributes, PERSON) or ""
    return row
