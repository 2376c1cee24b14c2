"""Addresses of an agent's page."""

from uuid import UUID

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse


def agent_address(agent_id: UUID, **parameters: object) -> str:
    """The agent's page; `tab` and `part` say where in it."""
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in parameters.items() if value})
    text = query.urlencode()
    return reverse("agent_detail", args=[agent_id]) + (f"?{text}" if text else "")


def address_or_nothing(name: str) -> str:
    """The address of that name, or nothing where no app has it."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
