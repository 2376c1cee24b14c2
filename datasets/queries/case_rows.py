"""CaseRows: the cases of a version in an order, read a page or a batch at a time as one reader may see them."""

from collections.abc import Iterator, Sequence
from typing import Self

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
        self.decided: list[int] | None = None

    def decide(self) -> Self:
        """Fix now which rows these are, so that what is read later, while a file is sent, is of this version."""
        self.decided = list(self.keys)
        return self

    def count(self) -> int:
        return self.keys.order_by().count()

    def __getitem__(self, part: slice) -> list[SeenCase]:
        return self._read(list(self.keys[part]))

    def __iter__(self) -> Iterator[SeenCase]:
        keys = list(self.keys) if self.decided is None else self.decided
        for start in range(0, len(keys), BATCH):
            wanted = keys[start : start + BATCH]
            batch = self._read(wanted)
            if len(batch) < len(wanted):
                # The dataset was deleted meanwhile: a file must break off rather than end as if it were whole.
                raise RuntimeError("cases of the version are gone")
            yield from batch

    def _read(self, keys: Sequence[int]) -> list[SeenCase]:
        found = CaseRevision.objects.filter(pk__in=keys).select_related("case").in_bulk()
        return [seen_by(self.actor, found[key], version=self.number) for key in keys if key in found]
