"""Finding datasets: one by its id, and the list that a member sees."""

from uuid import UUID

from django.db.models import QuerySet

from accounts import access
from accounts.access import SharedQuerySet
from accounts.actor import Actor
from accounts.permissions import Permission
from core.folding import fold
from core.limits import LIMITS
from datasets.models import Dataset


def find_dataset(actor: Actor, dataset_id: UUID, permission: Permission = Permission.DATASETS_VIEW) -> Dataset:
    """The dataset with its owner. Raises `NotFound` where it may not be known, `NotAllowed` where more is needed."""
    return access.fetch(visible_rows(), actor, permission, pk=dataset_id)


def visible_datasets(actor: Actor, *, search: str = "") -> QuerySet[Dataset]:
    """What the actor can see whose name holds the search, accents and case ignored (BC-53)."""
    rows = visible_rows().allowed(actor, Permission.DATASETS_VIEW)
    wanted = fold(search[: LIMITS.search_characters])
    return rows.filter(name_folded__contains=wanted) if wanted else rows


def datasets_named(actor: Actor, name: str, *, besides: UUID | None = None) -> QuerySet[Dataset]:
    """Those with this name among what the actor can see, the one at hand left out: what forms warn about (DS-D10)."""
    same = visible_rows().allowed(actor, Permission.DATASETS_VIEW).filter(name_folded=fold(name))
    return same.exclude(pk=besides) if besides else same


def owns_a_dataset(actor: Actor) -> bool:
    """Whether the member has one of their own; until then the guided tour is offered (DS-D67)."""
    return Dataset.objects.filter(organisation_id=actor.organisation_id, owner_id=actor.member_id).exists()


def is_offered_the_tour(actor: Actor) -> bool:
    """To who may create a dataset, owns none yet, and has not begun, finished or dismissed the tour (DS-D67)."""
    if actor.member is None or not access.may(actor, Permission.DATASETS_EDIT):
        return False
    return not actor.member.user.tour and not owns_a_dataset(actor)


def visible_rows() -> SharedQuerySet[Dataset]:
    """Datasets with their owners' names; whoever uses them asks access about them."""
    return Dataset.objects.select_related("owner__user")
