"""Creating agents, changing what stands around their versions, archiving and restoring them (PL-21, PL-25)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.budgets import budget_problems
from accounts.operations.members import lock_members
from accounts.operations.named_resources import change_named_resource, checked
from accounts.permissions import Permission
from agents.logic.specs import KINDS, stored
from agents.models import Agent, AgentKind, AgentState
from core.errors import Invalid, NotAllowed, Problem


@transaction.atomic
def create_agent(
    actor: Actor, *, kind: str, name: str, description: str = "", visibility: str = Visibility.ORGANISATION
) -> Agent:
    """Make an agent owned by the actor, with an empty draft and no version yet.

    Raises `NotAllowed` without `agents:edit` of any scope, `Invalid` for a wrong kind, name, description, visibility.
    """
    lock_members(actor)  # a removal hands over what its member owns by then
    access.require(actor, Permission.AGENTS_EDIT)
    if actor.member is None:
        raise ValueError("an agent has an owner, so somebody must create it")
    wanted = _checked({"kind": kind, "name": name, "description": description, "visibility": visibility})
    draft: Any = stored(KINDS[wanted["kind"]]())
    agent = Agent.objects.create(organisation=actor.organisation, owner=actor.member, draft=draft, **wanted)
    audit.record(actor, "agent.created", agent, kind=agent.kind, visibility=agent.visibility)
    return agent


@transaction.atomic
def change_agent_details(actor: Actor, *, agent_id: UUID, changes: Mapping[str, Any]) -> Agent:
    """Change what is given of name, description, visibility and `monthly_budget`; the rest stays. Makes no version.

    A budget is a Decimal of USD, or None for no bound. Of a helper only the budget can be changed, by who manages the
    organisation. Raises `NotFound`, `NotAllowed` without `agents:edit` on it, `Invalid`.
    """
    agent = _locked_for(actor, agent_id, only_budget=set(changes) == {"monthly_budget"})
    wanted = _checked(changes)
    change_named_resource(actor, agent, wanted=wanted)
    return agent


@transaction.atomic
def archive_agent(actor: Actor, *, agent_id: UUID) -> Agent:
    """Take it out of use: it answers no more, and keeps its versions and runs. Raises `NotFound`, `NotAllowed`."""
    return _put_state(actor, agent_id, AgentState.ARCHIVED, "agent.archived")


@transaction.atomic
def restore_agent(actor: Actor, *, agent_id: UUID) -> Agent:
    """Take an archived agent into use again. Raises `NotFound`, `NotAllowed`."""
    return _put_state(actor, agent_id, AgentState.ACTIVE, "agent.restored")


def lock_agent(actor: Actor, agent_id: UUID) -> Agent:
    """The agent for who may edit it, locked until the transaction ends.

    Raises `NotFound`, `NotAllowed`, also for a helper.
    """
    agent = _locked(actor, agent_id, Permission.AGENTS_EDIT)
    refuse_helper(agent)
    return agent


def lock_agent_in_sight(actor: Actor, agent_id: UUID) -> Agent:
    """The agent, a helper too, locked and for who may see it; what they may change is asked by the act itself."""
    return _locked(actor, agent_id, Permission.AGENTS_VIEW)


def refuse_helper(agent: Agent) -> None:
    """Raise `NotAllowed` where the agent is a part of Casebook."""
    if agent.is_helper:
        raise NotAllowed(_("This agent is a part of Casebook. Only its model and its budget can be changed."))


def _locked(actor: Actor, agent_id: UUID, permission: Permission) -> Agent:
    rows = Agent.objects.select_for_update(no_key=True, of=("self",))
    return access.fetch(rows, actor, permission, pk=agent_id)


def _locked_for(actor: Actor, agent_id: UUID, *, only_budget: bool) -> Agent:
    """A helper belongs to nobody, so its budget is for who manages the organisation's (PL-4)."""
    seen = _locked(actor, agent_id, Permission.AGENTS_VIEW)
    if seen.is_helper and only_budget:
        access.require(actor, Permission.ORGANISATION_MANAGE)
        return seen
    refuse_helper(seen)
    return _locked(actor, agent_id, Permission.AGENTS_EDIT)


def _put_state(actor: Actor, agent_id: UUID, state: AgentState, action: str) -> Agent:
    agent = lock_agent(actor, agent_id)
    if agent.state != state:
        agent.state, agent.changed_at = state, timezone.now()
        agent.save(update_fields=["state", "changed_at"])
        audit.record(actor, action, agent)
    return agent


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they are stored. Raises `Invalid` with every problem."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for field, check in (("kind", _kind_problems), ("monthly_budget", budget_problems)):
        if field in given:
            values[field] = given[field]
            problems += check(given[field])
    try:
        values |= checked({field: value for field, value in given.items() if field not in values})
    except Invalid as error:
        problems += error.problems
    if problems:
        raise Invalid(problems)
    return values


def _kind_problems(value: Any) -> list[Problem]:
    if value in AgentKind.values:
        return []
    return [Problem("kind", _("Choose one of: %(known)s.") % {"known": ", ".join(AgentKind.values)})]
