"""What differs between two versions of a dataset, case by case, found without reading a text (DS-D16)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import CharField, ExpressionWrapper, F, Func, TextField, Value
from django.db.models.functions import MD5, Cast, Coalesce, Length

from core.errors import NotFound
from datasets.logic.drafts import FIELDS
from datasets.models import CaseRevision, Dataset
from datasets.models.case_revision import CaseRevisionQuerySet
from datasets.queries.versions import cases_of_version


class ChangeKind(StrEnum):
    """What happened to a case between two versions."""

    ADDED = "added"
    EDITED = "edited"
    REMOVED = "removed"


class Held(NamedTuple):
    """A revision that holds in a version, without its text. Equal digests mean equal contents."""

    pk: int
    since: int
    case_id: UUID
    position: int
    digest: str


class CaseChange(NamedTuple):
    """One case that differs: what it is in the first version and in the second, None where it is not there."""

    kind: ChangeKind
    before: Held | None
    after: Held | None

    @property
    def position(self) -> int:
        """The place of the case, the same in both."""
        there = self.after or self.before
        return there.position if there else 0


@dataclass(frozen=True)
class VersionChanges:
    """Every case that differs, in the order of the cases (DS-D5), and how many are the same in both versions."""

    cases: tuple[CaseChange, ...]
    same: int

    def of(self, kind: ChangeKind | None) -> tuple[CaseChange, ...]:
        """Those of one kind, or all."""
        return tuple(case for case in self.cases if kind is None or case.kind is kind)

    def count(self, kind: ChangeKind) -> int:
        """How many cases of this kind there are."""
        return sum(case.kind is kind for case in self.cases)


def changes_between(dataset: Dataset, first: int, second: int) -> VersionChanges:
    """What somebody who knows version `first` finds changed in `second`, whichever of the two is older.

    Version 0 is the dataset before its first change. A revision holds in both exactly when it began by the older one
    and had not ended by the newer one, so only the others are read, and a case whose content came back is the same.
    At most three statements, whatever the history. Raises `NotFound` for a number that the dataset does not have.
    """
    older, newer = min(first, second), max(first, second)
    if older < 0 or newer > dataset.newest_version:
        raise NotFound
    if older == newer:
        return VersionChanges((), cases_of_version(dataset, second))
    ended = _held(CaseRevision.objects.all().ended_between(dataset, older, newer)) if older else {}
    begun = _held(CaseRevision.objects.all().begun_between(dataset, older, newer))
    before, after = (ended, begun) if first <= second else (begun, ended)
    changed = [_change(before.get(case_id), after.get(case_id)) for case_id in before.keys() | after.keys()]
    cases = tuple(sorted(filter(None, changed), key=lambda case: case.position))
    arrived = sum(case.kind is not ChangeKind.REMOVED for case in cases)
    return VersionChanges(cases, cases_of_version(dataset, second) - arrived)


def _change(before: Held | None, after: Held | None) -> CaseChange | None:
    if before is None:
        return CaseChange(ChangeKind.ADDED, None, after)
    if after is None:
        return CaseChange(ChangeKind.REMOVED, before, None)
    return CaseChange(ChangeKind.EDITED, before, after) if before.digest != after.digest else None


def _held(parts: Sequence[CaseRevisionQuerySet]) -> dict[UUID, Held]:
    """The rows of all parts in one statement; apart, since of a long condition with OR a database may search none."""
    first, *others = (part.values_list("pk", "since", "case_id", "position", _digest()) for part in parts)
    return {held.case_id: held for held in map(Held._make, first.union(*others, all=True))}


def _digest() -> MD5:
    """Of the nine fields as they are stored, each after its length, so that no two contents run together.

    Only equality is read from it, within one dataset. MD5 is the one such function that both databases have.
    """
    parts: list[Any] = []
    for name in FIELDS:
        text = Coalesce(ExpressionWrapper(F(name), output_field=TextField()), Value(""), output_field=TextField())
        parts += [Cast(Length(text), CharField()), Value(":"), text]
    # Django's Concat nests its parts, so many of them that SQLite's parser gives up.
    joined = Func(*parts, template="%(expressions)s", arg_joiner=" || ", output_field=TextField())
    return MD5(joined)
