"""The draft of an agent: saving what an editor wrote, going back to what a version says (PL-21, PL-22)."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.logic.specs import KINDS, Spec, as_draft, spec_of, stored
from agents.logic.specs_difference import difference
from agents.logic.specs_reading import read_spec
from agents.logic.specs_surroundings import Surroundings
from agents.models import Agent
from agents.operations.agents import lock_agent, refuse_helper
from agents.queries.agents import find_agent, find_version, refuse_archived
from agents.queries.draft_parts import strange_parts
from core.errors import Conflict
from core.reading_child import ReadingChild
from core.refusals import refusal


def read_draft(actor: Actor, *, agent_id: UUID, draft: Any) -> Spec:
    """The draft as `save_draft` takes it; outside of a transaction, since reading schemas may take a second.

    It may be unfinished, and what it says must be right. A model, skill or knowledge base that the draft did not name
    before must be one that the actor sees. Raises `NotFound`, `NotAllowed`, `Invalid` with each field's path.
    """
    agent = find_agent(actor, agent_id, Permission.AGENTS_EDIT)
    refuse_helper(agent)
    with ReadingChild() as child:
        spec, problems = read_spec(agent.kind, draft, Surroundings(child, settings.OUTGOING_ALLOWED_HOSTS))
    problems = problems or strange_parts(actor, spec, before=spec_of(agent.kind, agent.draft))
    if problems:
        raise refusal(problems)
    return spec


@transaction.atomic
def save_draft(actor: Actor, *, agent_id: UUID, spec: Spec, revision: int | None = None) -> Agent:
    """Keep what `read_draft` gave in place of the draft before; `revision` is the one that the change began from.

    Raises `NotFound`, `NotAllowed`, `Conflict` `agent_archived` or `draft_changed`.
    """
    agent = _to_change(actor, agent_id, revision)
    _keep(actor, agent, spec)
    return agent


@transaction.atomic
def restore_to_draft(actor: Actor, *, agent_id: UUID, number: int | None = None, revision: int | None = None) -> Agent:
    """Make the draft say what a published version says, by default the newest; the draft before is lost.

    Before the first version it becomes empty. The skills of a version go by their ids: publishing takes their text of
    that day. Raises `NotFound`, `NotAllowed`, `Conflict` `agent_archived` or `draft_changed`.
    """
    agent = _to_change(actor, agent_id, revision)
    wanted = agent.newest_version if number is None else number
    if number is None and not wanted:
        _keep(actor, agent, KINDS[agent.kind]())
    else:
        _keep(actor, agent, as_draft(spec_of(agent.kind, find_version(agent, wanted).spec)), restored_version=wanted)
    return agent


def refuse_other_revision(agent: Agent, revision: int | None) -> None:
    """Raise `Conflict` `draft_changed` where somebody saved the draft meanwhile."""
    if revision is not None and revision != agent.draft_revision:
        message = _("Somebody else saved the draft meanwhile.")
        raise Conflict("draft_changed", message, {"revision": agent.draft_revision})


def _to_change(actor: Actor, agent_id: UUID, revision: int | None) -> Agent:
    agent = lock_agent(actor, agent_id)
    refuse_archived(agent)
    refuse_other_revision(agent, revision)
    return agent


def _keep(actor: Actor, agent: Agent, spec: Spec, **details: Any) -> None:
    before, after = spec_of(agent.kind, agent.draft), stored(spec)
    if after == agent.draft:
        return
    fields = sorted({change.field.partition(".")[0] for change in difference(before, spec)})
    agent.draft = after
    agent.draft_revision += 1
    agent.draft_changed_at = agent.changed_at = timezone.now()
    agent.save(update_fields=["draft", "draft_revision", "draft_changed_at", "changed_at"])
    audit.record(actor, "agent.draft_saved", agent, fields=fields, **details)
