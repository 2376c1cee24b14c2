"""What models cost, looked up by the names that providers give them."""

from collections.abc import Collection
from uuid import UUID

from agents.logic.usage import Prices
from agents.models import LanguageModel


def prices_by_name(organisation_id: UUID, names: Collection[str]) -> dict[str, Prices]:
    """The prices of those models of the organisation that have some, by name.

    Where several connections offer a model, the one that was added first counts; runs from outside name no connection.
    """
    if not names:
        return {}
    rows = LanguageModel.objects.filter(connection__organisation_id=organisation_id, name__in=names)
    found: dict[str, Prices] = {}
    for model in rows.order_by("created_at", "pk"):
        prices = model.prices()
        if prices is not None:
            found.setdefault(model.name, prices)
    return found
