"""Finding connections: all of the organisation, one by its id (PL-20)."""

from uuid import UUID

from django.db.models import Prefetch, QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Connection, LanguageModel
from core.errors import NotFound


def connections_of(actor: Actor) -> QuerySet[Connection]:
    """Every connection of the organisation with its models, by name. Raises `NotAllowed`."""
    access.require(actor, Permission.CONNECTIONS_MANAGE)
    models = LanguageModel.objects.order_by("label", "pk")
    rows = Connection.objects.filter(organisation_id=actor.organisation_id)
    return rows.prefetch_related(Prefetch("models", models)).order_by("name", "pk")


def find_connection(actor: Actor, connection_id: UUID, *, for_change: bool = False) -> Connection:
    """One connection; locked inside a transaction with `for_change`. Raises `NotFound`, then `NotAllowed`.

    That a connection exists is known to those only who manage connections, so everybody else finds none.
    """
    rows = Connection.objects.filter(organisation_id=actor.organisation_id, pk=connection_id)
    found = (rows.select_for_update(no_key=True) if for_change else rows).first()
    if found is None or not access.may(actor, Permission.CONNECTIONS_MANAGE):
        raise NotFound
    return found
