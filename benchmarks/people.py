"""Whoever a measurement acts as."""

from secrets import token_urlsafe

from accounts.actor import Actor
from accounts.operations.setup import set_up


def owner() -> Actor:
    """The owner of a fresh organisation."""
    member = set_up(email="bench@example.org", name="Bench", password=token_urlsafe(), organisation_name="Bench")
    return Actor.of_member(member)
