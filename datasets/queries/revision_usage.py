"""How many case revisions are stored: by one dataset, and by all of an organisation (DS-66 to DS-72)."""

from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Sum

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission, Scope
from datasets.models import Dataset, DatasetVersion, RevisionUsage


@dataclass(frozen=True)
class Usage:
    """Stored revisions of all datasets of an organisation, and how many may be."""

    stored: int
    limit: int

    @property
    def is_nearly_full(self) -> bool:
        """Whether nine tenths are used."""
        return self.stored * 10 >= self.limit * 9


def revisions_of_dataset(dataset: Dataset) -> int:
    """What the dataset's versions cost together; each says what it stored, so no revision is counted."""
    versions = DatasetVersion.objects.filter(dataset=dataset)
    return versions.aggregate(stored=Sum(F("added") + F("edited")))["stored"] or 0


def usage_of_organisation(actor: Actor) -> Usage | None:
    """What all datasets together hold. None for who may not know of every dataset: the number would tell (ACC-20)."""
    if access.scope_of(actor, Permission.DATASETS_VIEW) is not Scope.ALL:
        return None
    stored = RevisionUsage.objects.filter(organisation_id=actor.organisation_id).values_list("revisions", flat=True)
    return Usage(stored.first() or 0, settings.DATASET_MAX_VERSION_ROWS_PER_ORG)
