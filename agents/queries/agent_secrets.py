"""The secrets of an agent by name, and what uses each (PL-22)."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from agents.logic.specs import secrets_of, spec_of
from agents.models import Agent, AgentSecret
from agents.queries.agents import newest_version_of
from core.errors import NotFound


@dataclass(frozen=True)
class SecretRow:
    """A secret without its value; `in_draft` and `in_newest` say whether draft and newest version name it."""

    name: str
    set_at: datetime
    in_draft: bool
    in_newest: bool


def secrets_in_order(agent: Agent) -> QuerySet[AgentSecret]:
    """The rows of an agent's secrets, by name; the values stay encrypted."""
    return AgentSecret.objects.filter(agent=agent).order_by("name")


def secret_rows(agent: Agent) -> list[SecretRow]:
    """The secrets by name, with what uses them."""
    draft = set(secrets_of(spec_of(agent.kind, agent.draft)).values())
    version = newest_version_of(agent)
    newest = set(secrets_of(spec_of(agent.kind, version.spec)).values()) if version else set()
    rows = secrets_in_order(agent)
    return [SecretRow(row.name, row.set_at, row.name in draft, row.name in newest) for row in rows]


def secret_row(agent: Agent, name: str) -> SecretRow:
    """One secret. Raises `NotFound`."""
    found = next((row for row in secret_rows(agent) if row.name == name), None)
    if found is None:
        raise NotFound
    return found
