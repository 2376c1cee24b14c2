"""A page of a version's cases in as few statements as it takes: how the table and the API read (DS-58, DS-D6)."""

from collections.abc import Sequence

from django.db.models import Subquery

from accounts.actor import Actor
from datasets.models import CaseRevision, Dataset
from datasets.queries.case_rows import CaseRows
from datasets.queries.cases import CaseFilter, ordered, revisions_of
from datasets.queries.seen_cases import SeenCase


def rows_of_version(
    actor: Actor, dataset: Dataset, number: int, wanted: CaseFilter, columns: Sequence[str], *, total: int
) -> CaseRows:
    """The cases of a version that the filter lets through, by these columns; `total` is how many the version holds."""
    if wanted.is_empty:
        return WholeVersion(actor, dataset, number, columns, total=total)
    return CaseRows(actor, ordered(actor, revisions_of(actor, dataset, number, wanted), columns), number)


class WholeVersion(CaseRows):
    """`CaseRows` of a version that nothing filters.

    The open revisions lie in their order in an index of their own, so a page of the newest version touches its rows
    alone. They are the wanted ones only while no newer version exists, which the same statement is asked; where there
    is one, the page is read as one of an older version.
    """

    def __init__(self, actor: Actor, dataset: Dataset, number: int, columns: Sequence[str], *, total: int) -> None:
        super().__init__(actor, ordered(actor, CaseRevision.objects.at(dataset, number), columns), number)
        self.dataset, self.columns, self.total = dataset, columns, total

    def count(self) -> int:
        return self.total

    def __getitem__(self, part: slice) -> list[SeenCase]:
        return self._read(self._newest_keys(part) or list(self.keys[part]))

    def _newest_keys(self, part: slice) -> list[int]:
        if self.number != self.dataset.newest_version:
            return []
        newest = Subquery(Dataset.objects.filter(pk=self.dataset.pk).values("newest_version"))
        rows = ordered(self.actor, CaseRevision.objects.newest(self.dataset), self.columns)
        return [key for key, there in rows.values_list("pk", newest)[part] if there == self.number]
