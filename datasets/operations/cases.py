"""Adding, editing and deleting cases; each makes one version (DS-53)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.json_values import same_json
from core.refusals import refusal
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.hidden_texts import HIDDEN_FIELDS
from datasets.logic.validation import NO_EXPECTATION
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, Source, VersionKind
from datasets.operations.authorship import NOBODY, Authors
from datasets.operations.removals import remove_text_of_cases
from datasets.operations.versions import Change, lock_for_change, make_version
from datasets.queries.cases import text_was_removed_since
from datasets.queries.readable_words import reading_of
from datasets.queries.seen_cases import content_of
from datasets.queries.versions import find_version


@dataclass(frozen=True)
class SavedCase:
    """The outcome of saving one case: its content now, the version on top, and whether anything changed (DS-D13).

    `hidden` counts the credentials that were hidden in what was sent (DS-D64).
    """

    revision: CaseRevision
    version: int
    changed: bool = True
    hidden: int = 0


@transaction.atomic
def add_case(
    actor: Actor,
    *,
    dataset_id: UUID,
    draft: CaseDraft,
    source: Source = Source.MANUAL,
    authors: Authors = NOBODY,
    seen_version: int | None = None,
) -> SavedCase:
    """Add one case after all others, as one version (DS-53, DS-D5).

    `authors` says whose words it holds where they were a person's (ACC-55). Raises `NotFound`, `NotAllowed`, `Invalid`
    without an expectation, `Conflict` at a limit or where an author is being erased.
    """
    dataset = lock_for_change(actor, dataset_id, seen_version=seen_version)
    _require_expectation(draft)
    change = Change(VersionKind.ADDED, added=[draft], source=source, authors=[authors])
    version, revisions = make_version(actor, dataset, change=change)
    details = {"case": str(revisions[0].case_id), "source": source, "credentials_hidden": draft.hidden}
    audit.record(actor, "case.added", dataset, version=version.number, **details)
    return SavedCase(revisions[0], version.number, hidden=draft.hidden)


@transaction.atomic
def edit_case(
    actor: Actor,
    *,
    dataset_id: UUID,
    case_id: UUID,
    changes: Mapping[str, Any],
    base_revision: int | None = None,
    base_removal: str | None = None,
    seen_version: int | None = None,
) -> SavedCase:
    """Replace the given fields of a case of the newest version by valid values, as one version (DS-56).

    `base_revision` is the `revision` the change began from; without it the change applies to the newest (DS-D11).
    `base_removal` is its `removal_key`, so that a form which was opened before an erasure brings no erased words back
    (ACC-D37). A change that changes nothing makes no version (DS-D13), and what is hidden from the actor stays.

    Raises `NotFound`, `NotAllowed` also for a field whose text is hidden from the actor (ACC-30), `Conflict`
    `case_changed`, `case_deleted` or `text_removed`, `Invalid` where no expectation would be left.
    """
    dataset = lock_for_change(actor, dataset_id, seen_version=seen_version)
    _require_unremoved(dataset, case_id, base_revision, base_removal)
    (revision,) = _open_revisions(dataset, {case_id: base_revision})
    if not reading_of(actor, [revision.case]).may_read(revision):
        refuse_hidden_fields(changes)
    before = content_of(revision)
    draft = before.with_changes(changes)
    _require_expectation(draft)
    if not (differing := _differing(before, draft)):
        return SavedCase(revision, dataset.newest_version, changed=False, hidden=draft.hidden)
    version, revisions = make_version(actor, dataset, change=Change(VersionKind.EDITED, edited=[(revision, draft)]))
    details = {"case": str(case_id), "fields": differing, "credentials_hidden": draft.hidden}
    audit.record(actor, "case.edited", dataset, version=version.number, **details)
    return SavedCase(revisions[0], version.number, hidden=draft.hidden)


@transaction.atomic
def delete_cases(
    actor: Actor,
    *,
    dataset_id: UUID,
    case_ids: Sequence[UUID],
    base_revisions: Mapping[UUID, int] | None = None,
    remove_text: bool = False,
    seen_version: int | None = None,
) -> DatasetVersion:
    """Take cases out of the newest version, as one version; older versions keep them (DS-69, DS-D14).

    With `remove_text` older versions keep them without their text, which is replaced in place as an erasure does
    (ACC-44, ACC-D28). Cases that were deleted before lose it too; that makes no version, and the newest is given.

    Always allowed, also at or above the limits (DS-73). Raises `NotFound`, `NotAllowed`, `Conflict` `case_changed` or
    `case_deleted`; then none is deleted.
    """
    dataset = lock_for_change(actor, dataset_id, seen_version=seen_version)
    bases = base_revisions or {}
    wanted = {case_id: bases.get(case_id) for case_id in case_ids}
    if not wanted:
        raise Invalid.at("case_ids", _("Choose at least one case."))
    if not remove_text or not _were_all_deleted(dataset, wanted):
        revisions = _open_revisions(dataset, wanted)
        version, _stored = make_version(actor, dataset, change=Change(VersionKind.DELETED, removed=revisions))
        audit.record(actor, "case.deleted", dataset, version=version.number, removed=len(revisions))
    if remove_text:
        reached = remove_text_of_cases(dataset, wanted, at=timezone.now())
        audit.record(actor, "case.text_removed", dataset, cases=len(wanted), revisions=reached)
    return find_version(dataset, dataset.newest_version)


def refuse_hidden_fields(names: Iterable[str]) -> None:
    """Raise `NotAllowed` where a change of a case with hidden text names more than tags and order (ACC-D19)."""
    if HIDDEN_FIELDS.intersection(names):
        raise NotAllowed(_("The text of this case is hidden from you. You can change its tags and the order of calls."))


def _were_all_deleted(dataset: Dataset, case_ids: Collection[UUID]) -> bool:
    if CaseRevision.objects.newest(dataset).filter(case_id__in=case_ids).exists():
        return False
    return Case.objects.filter(dataset=dataset, pk__in=case_ids).count() == len(case_ids)


def _require_unremoved(dataset: Dataset, case_id: UUID, base: int | None, removal: str | None) -> None:
    if base is not None and removal is not None and text_was_removed_since(dataset, case_id, base, removal):
        raise Conflict(
            "text_removed", _("Text of this case was erased meanwhile, so what you wrote from it is dropped.")
        )


def _open_revisions(dataset: Dataset, wanted: Mapping[UUID, int | None]) -> list[CaseRevision]:
    """The newest revisions of the wanted cases, each still the one its change began from."""
    found = CaseRevision.objects.newest(dataset).filter(case_id__in=wanted).select_related("case")
    revisions = list(found)
    if len(revisions) < len(wanted):
        gone = set(wanted) - {revision.case_id for revision in revisions}
        if Case.objects.filter(dataset=dataset, pk__in=gone).count() < len(gone):
            raise NotFound
        raise Conflict("case_deleted", _("The case was deleted meanwhile."), {"cases": sorted(map(str, gone))})
    for revision in revisions:
        base = wanted[revision.case_id]
        if base is not None and base != revision.since:
            data = {"case": str(revision.case_id), "revision": revision.since}
            raise Conflict("case_changed", _("Somebody else changed this case meanwhile."), data)
    return revisions


def _differing(before: CaseDraft, after: CaseDraft) -> list[str]:
    return sorted(name for name in FIELDS if not same_json(getattr(after, name), getattr(before, name)))


def _require_expectation(draft: CaseDraft) -> None:
    if not draft.expectations:
        raise refusal([NO_EXPECTATION])
