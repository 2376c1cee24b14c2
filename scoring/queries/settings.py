"""The grading settings of a dataset as they hold now; the defaults until somebody saves some (SC-44, SC-D16)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts.actor import Actor
from accounts.models import Member
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from scoring.logic.settings import Json, Settings
from scoring.logic.settings_changes import completed
from scoring.models import GradingSettings


@dataclass(frozen=True)
class DatasetSettings:
    """`stored` is their JSON, complete; `revision` counts savings, 0 before the first; `changed_by` may be erased."""

    stored: Json
    revision: int = 0
    changed_at: datetime | None = None
    changed_by: Member | None = None

    @property
    def settings(self) -> Settings:
        return Settings.of_json(self.stored)

    @property
    def are_saved(self) -> bool:
        """Whether somebody has set grading up."""
        return self.revision > 0


def settings_of(dataset: Dataset) -> DatasetSettings:
    """How answers of this dataset are graded now. Asks no access: the dataset was found before."""
    row = GradingSettings.objects.filter(dataset=dataset).select_related("changed_by__user").first()
    return as_settings(row)


def find_settings(actor: Actor, dataset_id: UUID) -> DatasetSettings:
    """The same for who can see the dataset. Raises `NotFound`."""
    return settings_of(find_dataset(actor, dataset_id))


def as_settings(row: GradingSettings | None) -> DatasetSettings:
    """A row, or what holds where there is none."""
    if row is None:
        return DatasetSettings(completed({}))
    return DatasetSettings(completed(row.settings), row.revision, row.changed_at, row.changed_by)
