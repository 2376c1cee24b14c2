"""How a version is made: the part that adding, editing, deleting and importing share (DS-53 to DS-57, DS-66 to DS-73).

Call everything here inside the transaction of an act that holds the dataset's lock.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict
from core.folding import fold
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.logic.folding import question_hash, tag_key
from datasets.logic.intervals import fork
from datasets.models import (
    Authorship,
    Case,
    CaseRevision,
    Dataset,
    DatasetVersion,
    RevisionUsage,
    Source,
    VersionKind,
)
from datasets.operations.authorship import Authors, keep_authors, marks_after, store_authors
from datasets.queries.version_changes import Held
from datasets.queries.versions import number_of_version

BATCH = 500
# What a copy of a revision does not take over; all else, text and marks of erasure alike, is the older one's as it is.
NOT_COPIED = {"id", "since", "until", "fork", "created_at"}


@dataclass(frozen=True)
class Links:
    """What a new case was taken from, by ids (DS-50)."""

    run_id: UUID | None
    conversation_id: UUID
    message_id: UUID


@dataclass(frozen=True)
class Change:
    """What a version does: new cases, new contents for open revisions, and open revisions that end.

    `authors` says whose words the new cases hold, one for each, or nothing where they are nobody's; `links` what they
    were taken from, in the same way. `copied` is for
    going back to version `restored_from`: the id of each revision whose content holds again, after the open revision
    it takes the place of, or after None where the case comes back with its id and place (DS-D16).
    """

    kind: VersionKind
    added: Sequence[CaseDraft] = ()
    source: Source = Source.MANUAL
    authors: Sequence[Authors] = ()
    links: Sequence[Links] = ()
    edited: Sequence[tuple[CaseRevision, CaseDraft]] = ()
    removed: Sequence[CaseRevision | Held] = ()
    copied: Sequence[tuple[Held | None, int]] = ()
    restored_from: int | None = None

    @property
    def arriving(self) -> int:
        """How many cases the version has that the one before it has not."""
        return len(self.added) + sum(there is None for there, _copied in self.copied)

    @property
    def rows(self) -> int:
        """How many revisions it stores (DS-67 to DS-69)."""
        return len(self.added) + len(self.edited) + len(self.copied)

    @property
    def ended(self) -> list[CaseRevision | Held]:
        """The open revisions that hold no longer."""
        replaced = [there for there, _copied in self.copied if there]
        return [*self.removed, *(revision for revision, _draft in self.edited), *replaced]


def lock_for_change(actor: Actor, dataset_id: UUID, *, seen_version: int | None = None) -> Dataset:
    """The dataset, locked until the transaction ends, so that version numbers have no gaps (DS-D12).

    `seen_version` is the version on screen where that is an older one, which is read-only. Raises `NotFound` or
    `NotAllowed` where the actor may not edit it, `Conflict` `read_only_version` (DS-60, DS-D15).
    """
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    dataset = access.fetch(rows, actor, Permission.DATASETS_EDIT, pk=dataset_id)
    if seen_version is not None and number_of_version(dataset, seen_version) < dataset.newest_version:
        message = _("Version %(seen)d is read-only. Changes go to the newest version, %(newest)d.")
        values = {"seen": seen_version, "newest": dataset.newest_version}
        raise Conflict("read_only_version", message % values, values)
    return dataset


def make_version(actor: Actor, dataset: Dataset, *, change: Change) -> tuple[DatasetVersion, list[CaseRevision]]:
    """Store the change as the next version of the locked dataset; the version and the revisions it stored.

    Raises `Conflict` `case_limit` where the version would hold more cases than allowed (DS-75), `version_rows_limit`
    where the organisation would hold more revisions (DS-72). A version that only removes is never refused (DS-73).
    """
    case_count = dataset.case_count + change.arriving - len(change.removed)
    if change.arriving and case_count > LIMITS.cases:
        refuse_too_many_cases(dataset, change.arriving)
    if change.rows:
        _count_revisions(dataset, change.rows)
    number = dataset.newest_version + 1
    _end_revisions(change.ended, number)
    edited = [_next_revision(old, draft, number) for old, draft in change.edited]
    added = _new_cases(dataset, change, number)
    CaseRevision.objects.bulk_create([*edited, *added], batch_size=BATCH)
    keep_authors([(old, new) for (old, _draft), new in zip(change.edited, edited, strict=True)])
    store_authors(added, change.authors)
    _copy_revisions([copied for _there, copied in change.copied], number)
    version = DatasetVersion.objects.create(
        dataset=dataset,
        number=number,
        author=actor.member,
        kind=change.kind,
        added=change.arriving,
        edited=change.rows - change.arriving,
        removed=len(change.removed),
        case_count=case_count,
        restored_from=change.restored_from,
    )
    dataset.newest_version, dataset.case_count, dataset.changed_at = number, case_count, version.created_at
    changed = ("newest_version", "case_count", "next_position", "changed_at")
    Dataset.objects.filter(pk=dataset.pk).update(**{name: getattr(dataset, name) for name in changed})
    return version, [*edited, *added]


def free_revisions(dataset: Dataset) -> int:
    """Delete every revision of the dataset and give their room back (DS-74); how many there were."""
    Authorship.objects.filter(revision__dataset=dataset).delete()
    _all, by_model = CaseRevision.objects.filter(dataset=dataset).delete()
    freed = by_model.get(CaseRevision._meta.label, 0)  # rows of other apps went with them and took no room here
    RevisionUsage.objects.filter(organisation_id=dataset.organisation_id).update(revisions=F("revisions") - freed)
    return freed


def refuse_too_many_cases(dataset: Dataset, added: int) -> NoReturn:
    """Raise `Conflict` `case_limit`, which says how many were to be added and how many still fit (DS-D45)."""
    room = LIMITS.cases - dataset.case_count
    message = _(
        "A dataset holds at most %(limit)d cases. You are adding %(added)d, and this dataset has room for %(room)d."
    ) % {"limit": LIMITS.cases, "added": added, "room": room}
    raise Conflict("case_limit", message, {"limit": LIMITS.cases, "adding": added, "room": room})


def _count_revisions(dataset: Dataset, rows: int) -> None:
    """Add to the organisation's count in one conditional statement, which locks the row until the transaction ends."""
    limit = settings.DATASET_MAX_VERSION_ROWS_PER_ORG
    usage = RevisionUsage.objects.filter(organisation_id=dataset.organisation_id)
    counted = usage.filter(revisions__lte=limit - rows)
    if counted.update(revisions=F("revisions") + rows):
        return
    RevisionUsage.objects.get_or_create(organisation_id=dataset.organisation_id)
    if counted.update(revisions=F("revisions") + rows):  # it was the organisation's first change
        return
    stored = usage.get().revisions
    message = _(
        "Your organisation's datasets hold %(stored)d case revisions, and at most %(limit)d are allowed. "
        "Deleting a dataset frees its revisions."
    ) % {"stored": stored, "limit": limit}
    raise Conflict("version_rows_limit", message, {"stored": stored, "limit": limit})


def _end_revisions(revisions: Iterable[CaseRevision | Held], number: int) -> None:
    """End open revisions with the version `number`; all of one fork in one statement, and forks are few."""
    by_fork = defaultdict(list)
    for revision in revisions:
        by_fork[fork(revision.since, number)].append(revision.pk)
    for at, keys in by_fork.items():
        for start in range(0, len(keys), BATCH):
            ended = CaseRevision.objects.filter(pk__in=keys[start : start + BATCH], until=None)
            ended.update(until=number, fork=at)


def _copy_revisions(keys: Sequence[int], number: int) -> None:
    """Let the contents of these revisions hold again from the version `number` on, some at a time: texts are large."""
    for start in range(0, len(keys), BATCH):
        found = CaseRevision.objects.in_bulk(keys[start : start + BATCH])
        pairs = [(found[key], _copy(found[key], number)) for key in keys[start : start + BATCH]]
        CaseRevision.objects.bulk_create([new for _old, new in pairs], batch_size=BATCH)
        keep_authors(pairs)


def _copy(old: CaseRevision, number: int) -> CaseRevision:
    columns = [field.attname for field in CaseRevision._meta.concrete_fields if field.name not in NOT_COPIED]
    return CaseRevision(since=number, **{column: getattr(old, column) for column in columns})


def _new_cases(dataset: Dataset, change: Change, number: int) -> list[CaseRevision]:
    first = dataset.next_position
    cases = [Case(dataset=dataset, position=first + offset) for offset in range(len(change.added))]
    for case, links in zip(cases, change.links, strict=bool(change.links)):
        case.run_id, case.conversation_id, case.message_id = links.run_id, links.conversation_id, links.message_id
    Case.objects.bulk_create(cases, batch_size=BATCH)
    dataset.next_position = first + len(cases)
    marks = {"conversation_text": change.source is Source.CONVERSATION}
    pairs = zip(cases, change.added, strict=True)
    return [_revision(case, draft, number, change.source, marks) for case, draft in pairs]


def _next_revision(old: CaseRevision, draft: CaseDraft, number: int) -> CaseRevision:
    return _revision(old.case, draft, number, Source(old.source), marks_after(old, draft))


def _revision(case: Case, draft: CaseDraft, number: int, source: Source, marks: Mapping[str, Any]) -> CaseRevision:
    return CaseRevision(
        dataset_id=case.dataset_id,
        case=case,
        position=case.position,
        since=number,
        created_at=timezone.now(),
        source=source,
        question_hash=question_hash(draft.input),
        search_text=fold(draft.input),
        tag_keys="".join(f",{tag_key(tag)}" for tag in draft.tags) + ("," if draft.tags else ""),
        **marks,
        **draft.as_dict(),
    )
