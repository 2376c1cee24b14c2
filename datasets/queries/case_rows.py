"""CaseRows: the cases of a version in an order, read a page or a batch at a time as one reader may see them."""

from collections.abc import Iterator, Sequence
from typing import Self, TypeVar

from django.db.models import ExpressionWrapper, F, TextField

from accounts.actor import Actor
from datasets.logic.drafts import FIELDS
from datasets.logic.written_case import LISTS, WrittenCase, written
from datasets.models import CaseRevision
from datasets.models.case_revision import CaseRevisionQuerySet
from datasets.queries.readable_words import words_hidden_from
from datasets.queries.seen_cases import SeenCase, seen_rows

BATCH = 500
Row = TypeVar("Row")
# The lists as the text that the database holds, not read as JSON.
AS_TEXT = {name: ExpressionWrapper(F(name), output_field=TextField()) for name in LISTS}


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
        for keys in self._batches():
            yield from _whole(self._read(keys), keys)

    def written(self) -> Iterator[WrittenCase]:
        """The nine fields as a file writes them."""
        for keys in self._batches():
            yield from _whole(self._written(keys), keys)

    def _batches(self) -> Iterator[list[int]]:
        keys = list(self.keys) if self.decided is None else self.decided
        return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))

    def _read(self, keys: Sequence[int]) -> list[SeenCase]:
        found = self._seen(keys)
        return [found[key] for key in keys if key in found]

    def _seen(self, keys: Sequence[int]) -> dict[int, SeenCase]:
        rows = list(CaseRevision.objects.filter(pk__in=keys).select_related("case"))
        seen = seen_rows(self.actor, rows, version=self.number)
        return {row.pk: case for row, case in zip(rows, seen, strict=True)}

    def _written(self, keys: Sequence[int]) -> list[WrittenCase]:
        columns = [AS_TEXT.get(name, name) for name in FIELDS]
        rows = CaseRevision.objects.filter(~words_hidden_from(self.actor), pk__in=keys).values_list("pk", *columns)
        found = {key: WrittenCase(*fields) for key, *fields in rows}
        hidden = [key for key in keys if key not in found]
        found |= {key: written(case.content) for key, case in self._seen(hidden).items()}
        return [found[key] for key in keys if key in found]


def _whole(batch: list[Row], keys: list[int]) -> list[Row]:
    """The batch. A file must break off rather than end as if it were whole where its dataset was deleted meanwhile."""
    if len(batch) < len(keys):
        raise RuntimeError("cases of the version are gone")
    return batch
