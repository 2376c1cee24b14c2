"""Going back to an older version: its content becomes a new version, and none is lost (DS-D16)."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict
from datasets.models import Dataset, DatasetVersion, VersionKind
from datasets.operations.versions import Change, lock_for_change, make_version
from datasets.queries.datasets import find_dataset
from datasets.queries.version_changes import ChangeKind, VersionChanges, changes_between
from datasets.queries.versions import find_version


@dataclass(frozen=True)
class Restored:
    """The newest version afterwards, and whether the restore made it: one equal to the newest makes none (DS-D13)."""

    version: DatasetVersion
    changed: bool


@dataclass(frozen=True)
class RestorePreview:
    """What restoring version `number` would do, in numbers, before it is done."""

    dataset: Dataset
    number: int
    added: int
    edited: int
    removed: int

    @property
    def changes_something(self) -> bool:
        """Whether it would make a version."""
        return bool(self.added or self.edited or self.removed)

    @property
    def next_version(self) -> int:
        """The number of the version that it would make."""
        return self.dataset.newest_version + 1

    @property
    def revisions_stored(self) -> int:
        """What it would cost (DS-67 to DS-69)."""
        return self.added + self.edited


@transaction.atomic
def restore_version(actor: Actor, *, dataset_id: UUID, number: int, base_version: int | None = None) -> Restored:
    """Make a new version with the content of version `number`; cases keep their ids and places.

    Each case that differs stores one revision, a copy of the older one as it is stored by now, so that text which was
    erased or removed meanwhile stays so, and who wrote it stays known. `base_version` is the newest version that the
    person decided on. Raises `NotFound`, `NotAllowed`, `Conflict` `version_changed` where there is a newer one by now,
    `case_limit` or `version_rows_limit`.
    """
    dataset = lock_for_change(actor, dataset_id)
    find_version(dataset, number)
    if base_version is not None and base_version != dataset.newest_version:
        message = _("The dataset was changed meanwhile: its newest version is now %(newest)d.")
        values = {"newest": dataset.newest_version}
        raise Conflict("version_changed", message % values, values)
    changes = changes_between(dataset, dataset.newest_version, number)
    if not changes.cases:
        return Restored(find_version(dataset, dataset.newest_version), changed=False)
    version, _stored = make_version(actor, dataset, change=_change(changes, number))
    counts = {"added": version.added, "edited": version.edited, "removed": version.removed}
    audit.record(actor, "dataset.restored", dataset, version=version.number, restored_from=number, **counts)
    return Restored(version, changed=True)


def preview_restore(actor: Actor, *, dataset_id: UUID, number: int) -> RestorePreview:
    """What `restore_version` would do now. Raises `NotFound` and `NotAllowed` as it does."""
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    find_version(dataset, number)
    changes = changes_between(dataset, dataset.newest_version, number)
    return RestorePreview(dataset, number, *(changes.count(kind) for kind in ChangeKind))


def _change(changes: VersionChanges, number: int) -> Change:
    """From the newest version, which is `before`, to the older one."""
    return Change(
        VersionKind.RESTORED,
        removed=[case.before for case in changes.cases if case.before and not case.after],
        copied=[(case.before, case.after.pk) for case in changes.cases if case.after],
        restored_from=number,
    )
