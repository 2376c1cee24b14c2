"""The secrets of an agent: keys that its endpoint and its tools are called with (PL-21, PL-22)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.operations.naming import is_text
from agents.logic.specs_values import read_secret_name
from agents.models import Agent, AgentSecret
from agents.operations.agents import lock_agent
from core.errors import Conflict, Invalid, NotFound, Problem
from core.limits import LIMITS
from core.refusals import said


@transaction.atomic
def set_secret(actor: Actor, *, agent_id: UUID, name: str, value: str) -> tuple[AgentSecret, bool]:
    """Keep a secret, encrypted, in place of an earlier value; with whether it is new.

    Raises `NotFound`, `NotAllowed` without `agents:edit` on the agent, `Invalid` at `name` or `value`, `Conflict`
    `secret_limit`.
    """
    agent = lock_agent(actor, agent_id)
    name = _checked(name, value)
    secret = AgentSecret.objects.filter(agent=agent, name=name).first()
    is_new = secret is None
    if secret is None:
        _refuse_one_too_many(agent)
        secret = AgentSecret(agent=agent, name=name)
    secret.set_value(value.strip())
    secret.save()
    audit.record(actor, "agent.secret_set", agent, secret=name)
    return secret, is_new


@transaction.atomic
def remove_secret(actor: Actor, *, agent_id: UUID, name: str) -> None:
    """Forget a secret for good; what names it cannot be called any more. Raises `NotFound`, `NotAllowed`."""
    agent = lock_agent(actor, agent_id)
    deleted, _by_model = AgentSecret.objects.filter(agent=agent, name=name).delete()
    if not deleted:
        raise NotFound
    audit.record(actor, "agent.secret_removed", agent, secret=name)


def _checked(name: str, value: str) -> str:
    name, found = read_secret_name(name)
    problems = [Problem("name", said(problem).message) for problem in found]
    if not name and not problems:
        problems.append(Problem("name", _("Enter a name.")))
    value = value.strip()
    if not value:
        problems.append(Problem("value", _("Enter the secret.")))
    elif len(value) > LIMITS.key_characters or not is_text(value) or not value.isascii():
        problems.append(Problem("value", _("This is no secret: it holds characters that a header cannot have.")))
    if problems:
        raise Invalid(problems)
    return name


def _refuse_one_too_many(agent: Agent) -> None:
    if AgentSecret.objects.filter(agent=agent).count() >= LIMITS.agent_secrets:
        message = _("An agent has at most %(most)d secrets.") % {"most": LIMITS.agent_secrets}
        raise Conflict("secret_limit", message)
