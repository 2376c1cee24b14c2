"""Two versions compared case by case and field by field, as one reader may see them (DS-D16, ACC-D20)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.actor import Actor
from core.errors import NotFound
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.queries.readable_words import Reading, reading_of
from datasets.queries.seen_cases import SeenCase, content_of, seen_as
from datasets.queries.version_changes import CaseChange, ChangeKind, Held, VersionChanges, changes_between


@dataclass(frozen=True)
class ComparedCase:
    """A case that differs, in both versions as the reader sees it; None where a version does not hold it.

    `fields` are those in which what the reader sees differs. `hidden_differs` says that text which is hidden from them
    differs too: that it does, never how.
    """

    kind: ChangeKind
    before: SeenCase | None
    after: SeenCase | None
    fields: tuple[str, ...]
    hidden_differs: bool

    @property
    def shown(self) -> SeenCase:
        """The case as the second version has it, or the first where it is gone."""
        there = self.after or self.before
        assert there is not None  # noqa: S101 - a case that is in neither version does not differ
        return there


@dataclass(frozen=True)
class Comparison:
    """What differs in version `second` for somebody who knows version `first`; `changes` counts, `cases` reads."""

    dataset: Dataset
    first: int
    second: int
    changes: VersionChanges
    cases: "ComparedCases"


class ComparedCases:
    """The cases that differ, in their order; texts are read for those that are asked for. A paginator takes it."""

    def __init__(self, actor: Actor, versions: tuple[int, int], changes: Sequence[CaseChange]) -> None:
        self.actor, self.versions, self.changes = actor, versions, changes

    def count(self) -> int:
        """How many there are."""
        return len(self.changes)

    def __getitem__(self, part: slice) -> list[ComparedCase]:
        """Some of them; one statement reads them all, and one more what the actor may open."""
        wanted = self.changes[part]
        keys = [held.pk for change in wanted for held in (change.before, change.after) if held]
        rows = CaseRevision.objects.select_related("case").in_bulk(keys)
        reading = reading_of(self.actor, (row.case for row in rows.values()))
        return [self._compared(change, rows, reading) for change in wanted]

    def _compared(self, change: CaseChange, rows: dict[int, CaseRevision], reading: Reading) -> ComparedCase:
        sides = [rows.get(held.pk) if held else None for held in (change.before, change.after)]
        before, after = (
            seen_as(reading, row, version=version) if row else None
            for row, version in zip(sides, self.versions, strict=True)
        )
        stored = [content_of(row) if row else None for row in sides]
        fields = _differing(before.content if before else None, after.content if after else None)
        hidden = any(case and case.text_hidden for case in (before, after))
        hidden_fields = set(_differing(*stored)) - set(fields) if hidden and change.kind is ChangeKind.EDITED else set()
        return ComparedCase(change.kind, before, after, fields, bool(hidden_fields))


def compare_versions(
    actor: Actor, dataset: Dataset, first: int, second: int, *, kind: ChangeKind | None = None
) -> Comparison:
    """Compare two versions, whichever is older; `kind` narrows the cases and not the numbers.

    Raises `NotFound` for a number that the dataset does not have.
    """
    changes = changes_between(dataset, first, second)
    return Comparison(dataset, first, second, changes, ComparedCases(actor, (first, second), changes.of(kind)))


def compare_case(actor: Actor, dataset: Dataset, first: int, second: int, case_id: UUID) -> ComparedCase:
    """Compare one case; look-ups in the index of its revisions. Raises `NotFound` where it does not differ."""
    held = [_held(dataset, number, case_id) for number in (first, second)]
    if not any(held):
        raise NotFound
    before, after = held
    kind = ChangeKind.EDITED if before and after else ChangeKind.REMOVED if before else ChangeKind.ADDED
    (compared,) = ComparedCases(actor, (first, second), [CaseChange(kind, before, after)])[0:1]
    return compared


def _held(dataset: Dataset, number: int, case_id: UUID) -> Held | None:
    rows = CaseRevision.objects.of_case_at(dataset, number, case_id).values_list("pk", "since", "case_id", "position")
    found = rows.first()
    return Held(*found, digest="") if found else None


def _differing(before: CaseDraft | None, after: CaseDraft | None) -> tuple[str, ...]:
    """The fields in which they differ; of a case that one version does not hold, those that say something."""
    there = before or after
    if before is None or after is None:
        return tuple(name for name in FIELDS if there and (getattr(there, name) if name != "order_mode" else False))
    return tuple(name for name in FIELDS if getattr(before, name) != getattr(after, name))
