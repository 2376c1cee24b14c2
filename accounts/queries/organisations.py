"""The organisation in use, as it is now."""

from accounts.actor import Actor
from accounts.models import Organisation


def organisation_in_use(actor: Actor, *, lock: bool = False) -> Organisation:
    """The actor's organisation read again; locked until the transaction ends, for comparing before a change."""
    rows = Organisation.objects.select_for_update(no_key=True) if lock else Organisation.objects.all()
    return rows.get(pk=actor.organisation_id)
