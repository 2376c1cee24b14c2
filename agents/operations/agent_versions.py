"""Publishing an agent: its draft becomes a version, which never changes (PL-21)."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from agents.logic.specs import ModelSpec, stored
from agents.models import Agent, AgentVersion
from agents.operations.agent_drafts import refuse_other_revision
from agents.operations.agents import lock_agent
from agents.queries.agents import newest_version_of, refuse_archived
from agents.queries.publishing import what_publishing_makes
from core.errors import Conflict, Invalid, Problem
from core.limits import LIMITS
from core.problems import Problem as Found
from core.refusals import refusal, said
from core.texts import text_problems


@transaction.atomic
def publish_agent(actor: Actor, *, agent_id: UUID, note: str = "", revision: int | None = None) -> AgentVersion:
    """Make the next version of what the draft says, with the text of its skills as it is now.

    `revision` is the draft that the decision was made on. Raises `NotFound`, `NotAllowed`, `Conflict` `agent_archived`,
    `draft_changed` or `nothing_changed`, `Invalid` with everything that the draft lacks.
    """
    agent = lock_agent(actor, agent_id)
    refuse_archived(agent)
    refuse_other_revision(agent, revision)
    made = what_publishing_makes(agent)
    if made.problems:
        raise refusal(made.problems, _("The draft cannot be published yet."))
    note = _checked_note(note)
    newest = newest_version_of(agent)
    spec = stored(made.spec)
    if newest and newest.spec == spec:
        message = _("Version %(number)d says the same already.") % {"number": newest.number}
        raise Conflict("nothing_changed", message, {"version": newest.number})
    version = _next_version(actor, agent, spec, note)
    counts = {"version": version.number, "tools": len(made.spec.tools)}
    if isinstance(made.spec, ModelSpec):
        counts |= {"skills": len(made.spec.skills), "knowledge": len(made.spec.knowledge)}
    audit.record(actor, "agent.published", agent, **counts)
    return version


def _next_version(actor: Actor, agent: Agent, spec: Any, note: str) -> AgentVersion:
    agent.newest_version += 1
    agent.changed_at = timezone.now()
    agent.save(update_fields=["newest_version", "changed_at"])
    return AgentVersion.objects.create(
        agent=agent, number=agent.newest_version, spec=spec, note=note, author=actor.member
    )


def _checked_note(note: str) -> str:
    note = note.replace("\r\n", "\n").strip()
    problems: list[Problem] = [
        said(Found("note", problem.text, problem.values)) for problem in text_problems(note, LIMITS.note_characters)
    ]
    if problems:
        raise Invalid(problems)
    return note
