"""The datasets that were changed last, for the card of the dashboard."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from datasets.queries.datasets import is_offered_the_tour, visible_datasets

# So many datasets the card lists.
LISTED = 5


@dataclass(frozen=True)
class RecentDatasets:
    """The last changed first, and what is offered to who has none."""

    datasets: Sequence[Dataset]
    may_create: bool
    offer_tour: bool


def recent_datasets(actor: Actor) -> RecentDatasets:
    """Of those that the actor can see; two queries."""
    newest = visible_datasets(actor).order_by("-changed_at", "-pk")[:LISTED]
    may_create = access.may(actor, Permission.DATASETS_EDIT)
    return RecentDatasets(list(newest), may_create, is_offered_the_tour(actor))
