"""CaseRows: the cases of a version in an order, read a page or a batch at a time as one reader may see them."""

from collections.abc import Iterator, Sequence

from accounts.actor import Actor
from datasets.models import CaseRevision
from datasets.models.case_revision import CaseRevisionQuerySet
from datasets.queries.seen_cases import SeenCase, seen_by

BATCH = 500


class CaseRows:
    """Counts, slices and iterates, so that a paginator takes it.

    Only keys are sorted; texts are read for the rows that are wanted. Sorting ten thousand rows with their texts would
    spill to disk for a page of fifty.
    """

    def __init__(self, actor: Actor, revisions: CaseRevisionQuerySet, number: int) -> None:
        self.actor, self.number = actor, number
        self.keys = revisions.values_list("pk", flat=True)

    def count(self) -> int:
        return self.keys.order_by().count()

    def __getitem__(self, part: slice) -> list[SeenCase]:
        return self._read(list(self.keys[part]))

    def __iter__(self) -> Iterator[SeenCase]:
        keys = list(self.keys)
        for start in range(0, len(keys), BATCH):
            yield from self._read(keys[start : start + BATCH])

    def _read(self, keys: Sequence[int]) -> list[SeenCase]:
        found = CaseRevision.objects.filter(pk__in=keys).select_related("case").in_bulk()
        return [seen_by(self.actor, found[key], version=self.number) for key in keys if key in found]
