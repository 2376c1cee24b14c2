"""Finding models: one by its id, and those whose name holds what somebody types (DS-20, SC-40)."""

from uuid import UUID

from django.db.models import QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import LanguageModel
from core.errors import NotFound
from core.folding import fold
from core.limits import LIMITS


def models_to_choose(actor: Actor, *, search: str = "") -> QuerySet[LanguageModel]:
    """The organisation's models whose label, name or connection holds every word of the search, by label.

    Every member may see what there is to choose: a model's name and label tell nothing of its key.
    """
    rows = LanguageModel.objects.filter(connection__organisation_id=actor.organisation_id)
    for word in fold(search[: LIMITS.search_characters]).split():
        rows = rows.filter(search_text__contains=word)
    return rows.select_related("connection").order_by("label", "pk")


def find_managed_model(actor: Actor, model_id: UUID) -> LanguageModel:
    """A model that the actor may change. Raises `NotFound`, then `NotAllowed`."""
    found = find_model(actor, model_id)
    access.require(actor, Permission.CONNECTIONS_MANAGE)
    return found


def find_model(actor: Actor, model_id: UUID, *, for_change: bool = False) -> LanguageModel:
    """One model with its connection. Raises `NotFound`; locked with `for_change`, which also raises `NotAllowed`."""
    rows = LanguageModel.objects.filter(connection__organisation_id=actor.organisation_id, pk=model_id)
    if for_change:
        rows = rows.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("connection").first()
    if found is None:
        raise NotFound
    if for_change:
        access.require(actor, Permission.CONNECTIONS_MANAGE)
    return found
