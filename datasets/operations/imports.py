"""Importing a file: all of its cases as one version, or none (DS-121 to DS-138)."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.actor import Actor
from accounts.operations.idempotent_requests import FirstAnswer, claim_request, remember_answer
from accounts.permissions import Permission
from core.errors import TooLarge
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.logic.folding import question_hash
from datasets.logic.import_file import read_import_file
from datasets.logic.rows import ReadRows, UnreadableFile
from datasets.models import CaseRevision, Dataset, DatasetVersion, Source, VersionKind
from datasets.operations.refusals import refusal
from datasets.operations.versions import BATCH, Change, lock_for_change, make_version, refuse_too_many_cases
from datasets.queries.datasets import find_dataset
from datasets.queries.versions import find_version


@dataclass(frozen=True)
class ImportResult:
    """What an import added: `twins` counts its cases that ask what another case asks (DS-D34), `hidden` the
    credentials that were hidden (DS-D64)."""

    version: DatasetVersion
    added: int
    twins: int
    hidden: int


@dataclass(frozen=True)
class ImportPreview:
    """What an import would add, before anything is stored."""

    drafts: Sequence[CaseDraft]
    twins: int
    version: int
    hidden: int


def import_file(
    actor: Actor, *, dataset_id: UUID, name: str, data: bytes, seen_version: int | None = None
) -> ImportResult:
    """Add every case of the file as one version, with `source` `import`, in the file's order.

    The file is read before the dataset is locked. Raises `NotFound`, `NotAllowed`, `TooLarge`, `Invalid` with a problem
    for every bad row, `Conflict` at a limit; then nothing is stored.
    """
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    return import_cases(actor, dataset_id=dataset_id, drafts=drafts, seen_version=seen_version)


def read_cases(actor: Actor, *, dataset_id: UUID, name: str, data: bytes) -> Sequence[CaseDraft]:
    """Every case of the file, for `import_cases`; call it outside of a transaction.

    Raises `NotFound` or `NotAllowed` first, then `TooLarge`, `Invalid` with a problem for every bad row, and `Conflict`
    for more cases than a dataset may hold.
    """
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    if len(data) > LIMITS.import_bytes:
        raise TooLarge(_("The file is larger than 10 MB. Split it and import the parts."))
    try:
        read = read_import_file(name, data, most=LIMITS.cases)
    except UnreadableFile as error:
        raise refusal(error.problems, _("The file cannot be read. Nothing was imported.")) from None
    if read.count > LIMITS.cases:
        refuse_too_many_cases(dataset, read.count)
    if read.problems:
        raise refusal(read.problems, _summary(read))
    return read.drafts


@transaction.atomic
def import_cases(
    actor: Actor, *, dataset_id: UUID, drafts: Sequence[CaseDraft], seen_version: int | None = None
) -> ImportResult:
    """Add the cases that `read_cases` read, as one version.

    Apart from the reading, which may take long: on SQLite a transaction holds the one write lock of all. Raises
    `NotFound`, `NotAllowed`, `Conflict` at a limit; then nothing is stored.
    """
    dataset = lock_for_change(actor, dataset_id, seen_version=seen_version)
    twins = count_twins(dataset, drafts)
    change = Change(VersionKind.IMPORTED, added=drafts, source=Source.IMPORT)
    version, _stored = make_version(actor, dataset, change=change)
    hidden = hidden_in(drafts)
    details = {"added": len(drafts), "credentials_hidden": hidden}
    audit.record(actor, "dataset.imported", dataset, version=version.number, **details)
    return ImportResult(version, len(drafts), twins, hidden)


def import_file_once(actor: Actor, *, dataset_id: UUID, name: str, data: bytes, key: str) -> ImportResult:
    """Import for a form that may be sent twice: the same key changes nothing the second time (DS-D46).

    Gives what the first sending did. Raises what `import_file` raises.
    """
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    named = sha256(key.encode("utf-8", "replace")).hexdigest()
    with transaction.atomic():
        claimed = claim_request(actor, key=f"import:{named}", fingerprint=sha256(dataset_id.bytes + data).hexdigest())
        if isinstance(claimed, FirstAnswer):
            number, twins, hidden = map(int, claimed.body.split())
            version = find_version(find_dataset(actor, dataset_id), number)
            return ImportResult(version, version.added, twins, hidden)
        result = import_cases(actor, dataset_id=dataset_id, drafts=drafts)
        remember_answer(claimed, FirstAnswer(201, f"{result.version.number} {result.twins} {result.hidden}", {}))
    return result


def preview_import(actor: Actor, *, dataset_id: UUID, name: str, data: bytes) -> ImportPreview:
    """What `import_file` would do with this file; raises what it would raise, and stores nothing."""
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    return ImportPreview(drafts, count_twins(dataset, drafts), dataset.newest_version + 1, hidden_in(drafts))


def hidden_in(drafts: Sequence[CaseDraft]) -> int:
    """How many credentials were hidden in all of them."""
    return sum(draft.hidden for draft in drafts)


def count_twins(dataset: Dataset, drafts: Sequence[CaseDraft]) -> int:
    """How many of the cases ask what a case of the newest version, or an earlier one of them, asks (DS-D33)."""
    hashes = [question_hash(draft.input) for draft in drafts]
    there: set[str] = set()
    for start in range(0, len(hashes), BATCH):
        found = CaseRevision.objects.newest(dataset).filter(question_hash__in=hashes[start : start + BATCH])
        there.update(found.values_list("question_hash", flat=True))
    twins = 0
    for key in hashes:
        twins += key in there
        there.add(key)
    return twins


def _summary(read: ReadRows) -> str:
    rows = len({problem.row for problem in read.problems})
    return ngettext(
        "%(rows)d of %(count)d rows is not valid. Nothing was imported.",
        "%(rows)d of %(count)d rows are not valid. Nothing was imported.",
        rows,
    ) % {"rows": rows, "count": read.count}
