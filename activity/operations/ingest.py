"""Taking in runs of agents that run elsewhere: all of a request or none, each idempotency key once (PL-32).

No entry of the audit log is written: a run is itself the record of who sent what and when, and thousands a minute would
bury the acts of people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.permissions import Permission
from activity.logic.sent_runs import SentRun
from activity.models import Message, MessageRole, Run
from activity.operations.ingest_rows import store_runs
from agents.models import Agent, AgentVersion
from core.errors import Invalid, NotAllowed, NotFound, Problem

# Each try ends because another request stored something of the same; then the next finds that.
TRIES = 5


@dataclass(frozen=True)
class StoredRun:
    """What became of a run that was sent. `message_id` is its answer's last message, None where there is no answer."""

    run_id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    idempotency_key: str | None
    is_new: bool


def ingest_runs(actor: Actor, *, runs: Sequence[SentRun], many: bool = True) -> list[StoredRun]:
    """Store the runs; one entry for each that was sent, in order. `many` says whether places name the index.

    A key whose run is there already, from an earlier request or one at the same moment, gives that run. Raises
    `NotFound` where an agent is not there or not visible, `NotAllowed` where the actor may not run it, `Invalid` for an
    archived agent, an unknown version, or one key with two contents; `Conflict` while a person is being erased.
    """
    places = [f"runs.{index}." if many else "" for index in range(len(runs))]
    _require_agents(actor, {run.agent_id for run in runs})
    versions = _versions(runs, places)
    _refuse_archived(runs, places)
    first = _first_of_each_key(runs, places)
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return _stored(actor, runs, first, versions)
        except IntegrityError:
            if attempt == TRIES:
                raise
    raise AssertionError("the last try returns or raises")


def _require_agents(actor: Actor, ids: set[UUID]) -> None:
    """All agents visible, and run by the actor: sending a run says what the agent did, as running it would."""
    agents = Agent.objects.tested().filter(pk__in=ids)
    if agents.allowed(actor, Permission.AGENTS_VIEW).count() != len(ids):
        raise NotFound
    if agents.allowed(actor, Permission.AGENTS_RUN).count() != len(ids):
        raise NotAllowed


def _refuse_archived(runs: Sequence[SentRun], places: Sequence[str]) -> None:
    ids = {run.agent_id for run in runs}
    archived = set(Agent.objects.filter(pk__in=ids).difference(Agent.objects.active()).values_list("pk", flat=True))
    wrong = [place for run, place in zip(runs, places, strict=True) if run.agent_id in archived]
    if wrong:
        words = _("This agent is archived: it takes no more runs.")
        raise Invalid(Problem(f"{place}agent", words) for place in wrong)


def _versions(runs: Sequence[SentRun], places: Sequence[str]) -> dict[tuple[UUID, int], UUID]:
    """The ids of the versions that the runs name."""
    named = {(run.agent_id, run.version) for run in runs if run.version is not None}
    if not named:
        return {}
    rows = AgentVersion.objects.filter(
        agent__in={agent for agent, _number in named}, number__in={number for _agent, number in named}
    )
    found = {(agent, number): key for agent, number, key in rows.values_list("agent", "number", "pk")}
    unknown = [
        Problem(f"{place}version", _("The agent has no published version of this number."))
        for run, place in zip(runs, places, strict=True)
        if run.version is not None and (run.agent_id, run.version) not in found
    ]
    if unknown:
        raise Invalid(unknown)
    return found


def _first_of_each_key(runs: Sequence[SentRun], places: Sequence[str]) -> list[int]:
    """For each run the place of the first with the same key and content; its own where it has no key."""
    seen: dict[str, int] = {}
    first, problems = [], []
    for index, run in enumerate(runs):
        key = run.idempotency_key
        earlier = index if key is None else seen.setdefault(key, index)
        first.append(earlier)
        if run != runs[earlier]:
            for one, other in ((index, earlier), (earlier, index)):
                words = _("runs.%(other)d has the same key and another content.") % {"other": other}
                problems.append(Problem(f"{places[one]}idempotency_key", words))
    if problems:
        raise Invalid(problems)
    return first


def _stored(
    actor: Actor, runs: Sequence[SentRun], first: Sequence[int], versions: dict[tuple[UUID, int], UUID]
) -> list[StoredRun]:
    before = _stored_before(actor, {run.idempotency_key for run in runs if run.idempotency_key is not None})
    fresh = [index for index, run in enumerate(runs) if first[index] == index and run.idempotency_key not in before]
    made = store_runs(actor.organisation, [runs[index] for index in fresh], versions)
    new = {
        index: StoredRun(row.run_id, row.conversation_id, row.message_id, runs[index].idempotency_key, is_new=True)
        for index, row in zip(fresh, made, strict=True)
    }
    return [
        new[first[index]] if first[index] in new else before[str(run.idempotency_key)] for index, run in enumerate(runs)
    ]


def _stored_before(actor: Actor, keys: set[str | None]) -> dict[str, StoredRun]:
    if not keys:
        return {}
    rows = Run.objects.filter(organisation_id=actor.organisation_id, idempotency_key__in=keys)
    found = list(rows.values_list("idempotency_key", "pk", "conversation"))
    said = Message.objects.filter(run__in=[run for _key, run, _conversation in found], role=MessageRole.ASSISTANT)
    answers = dict(said.order_by("position").values_list("run", "pk")) if found else {}
    return {
        str(key): StoredRun(run, conversation, answers.get(run), key, is_new=False) for key, run, conversation in found
    }
