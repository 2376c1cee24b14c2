"""Making the spans of traces into runs, and completing runs whose further spans come late (PL-33)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import Organisation
from activity.logic.otel_kinds import Node
from activity.logic.otel_runs import Group, groups_of, run_of
from activity.logic.sent_runs import SentRun
from activity.models import Run, TraceSpan
from activity.operations.completed_runs import complete_run
from activity.operations.ingest_rows import store_runs
from core.errors import Conflict

TRIES = 5
Place = tuple[str, str]
Reasons = dict[str, set[Place]]


@dataclass
class Found:
    """One run that spans tell of, and their rows."""

    rows: list[TraceSpan]
    sent: SentRun


def settle_traces(organisation: Organisation, traces: Collection[str], *, patient: bool) -> Reasons:
    """Make or complete every run of these traces that is whole; without patience also those whose outermost span may
    still come. The spans that belong to no agent are forgotten and returned by reason. Call inside a transaction.
    """
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return _settled(organisation, traces, patient=patient)
        except IntegrityError:
            # Another request made one of these runs at the same moment: now it is there.
            if attempt == TRIES:
                raise
    raise AssertionError("the last try returns or raises")


def _settled(organisation: Organisation, traces: Collection[str], *, patient: bool) -> Reasons:
    by_trace: dict[str, list[TraceSpan]] = defaultdict(list)
    for row in TraceSpan.objects.filter(organisation=organisation, trace_id__in=traces):
        by_trace[row.trace_id].append(row)
    reasons: Reasons = defaultdict(set)
    found: list[Found] = []
    for trace_id, rows in by_trace.items():
        if all(row.is_settled for row in rows):
            continue
        by_id = {row.span_id: row for row in rows}
        for group in groups_of(_node(row) for row in rows):
            mine = [by_id[node.span_id] for node in group.members]
            if all(row.is_settled for row in mine) or (patient and not group.is_whole):
                continue
            one = _found(trace_id, group, mine, by_id[group.root.span_id])
            if one is None:
                reasons[_("No agent: name one by gen_ai.agent.id, casebook.agent.id or ?agent=.")] |= _places(mine)
            else:
                found.append(one)
    TraceSpan.objects.filter(
        organisation=organisation, span_id__in=[place[1] for each in reasons.values() for place in each], agent=None
    ).filter(trace_id__in=traces).delete()
    for reason, places in _store(organisation, found).items():
        reasons[reason] |= places
    return reasons


def _node(row: TraceSpan) -> Node:
    return Node(row.span_id, row.parent_id, row.started_ns, row.ended_ns, row.content)


def _places(rows: Iterable[TraceSpan]) -> set[Place]:
    return {(row.trace_id, row.span_id) for row in rows}


def _found(trace_id: str, group: Group, rows: list[TraceSpan], root: TraceSpan) -> Found | None:
    agent_id = root.agent_id or next((row.agent_id for row in rows if row.agent_id), None)
    return None if agent_id is None else Found(rows, run_of(group, trace_id=trace_id, agent_id=agent_id))


def _store(organisation: Organisation, found: Sequence[Found]) -> Reasons:
    """New runs together, in the order in which they began; those that are there are completed one by one."""
    keys = [each.sent.idempotency_key for each in found]
    rows = Run.objects.filter(organisation=organisation, idempotency_key__in=keys)
    there = dict(rows.values_list("idempotency_key", "pk"))
    new, reasons = [], Reasons()
    for each in found:
        run_id = next((row.run_id for row in each.rows if row.run_id), there.get(str(each.sent.idempotency_key)))
        if run_id is None:
            new.append(each)
        else:
            complete_run(run_id, each.sent)
            _settle(each.rows, run_id)
    new.sort(key=lambda each: each.rows[0].started_ns)
    try:
        with transaction.atomic():
            made = store_runs(organisation, [each.sent for each in new], {})
    except Conflict as erased:
        # Somebody among them is being erased: one by one, so that the others' runs are stored all the same.
        if len(new) == 1:
            TraceSpan.objects.filter(pk__in=[row.pk for row in new[0].rows]).delete()
            return {str(erased): _places(new[0].rows)}
        for each in new:
            reasons |= _store(organisation, [each])
        return reasons
    for each, stored in zip(new, made, strict=True):
        _settle(each.rows, stored.run_id)
    return reasons


def _settle(rows: Sequence[TraceSpan], run_id: object) -> None:
    TraceSpan.objects.filter(pk__in=[row.pk for row in rows]).update(run=run_id, is_settled=True)
