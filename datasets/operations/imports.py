"""Importing a file: all of its cases as one version, or none (DS-121 to DS-138, BC-13, BC-17)."""

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
from core.refusals import refusal
from datasets.logic.drafts import CaseDraft
from datasets.logic.import_file import read_import_file
from datasets.logic.rows import ReadRows, UnreadableFile
from datasets.models import DatasetVersion, Source, VersionKind
from datasets.operations.versions import Change, lock_for_change, make_version, refuse_too_many_cases
from datasets.queries.datasets import find_dataset
from datasets.queries.overlap import Compared, compare
from datasets.queries.versions import find_version


@dataclass(frozen=True)
class ImportResult:
    """What an import did: `version` is the newest, made by it unless `added` is 0.

    Of the file's cases `identical` were in the dataset word for word; of those added `twins` ask what another case asks
    (DS-D34), and `hidden` of their credentials were hidden (DS-D64).
    """

    version: DatasetVersion
    added: int
    twins: int
    hidden: int
    identical: int


@dataclass(frozen=True)
class ImportPreview:
    """What an import would add, before anything is stored."""

    cases: Sequence[Compared]
    version: int

    @property
    def identical(self) -> int:
        """How many the dataset has word for word."""
        return sum(case.is_there for case in self.cases)

    @property
    def differing(self) -> int:
        """How many it has not; nothing is imported where there is none."""
        return len(self.cases) - self.identical

    @property
    def twins(self) -> Sequence[CaseDraft]:
        """Those that differ and still ask what another case asks."""
        return [case.draft for case in self.cases if case.is_twin and not case.is_there]

    @property
    def hidden(self) -> int:
        return hidden_in([case.draft for case in self.cases])


def import_file(
    actor: Actor,
    *,
    dataset_id: UUID,
    name: str,
    data: bytes,
    seen_version: int | None = None,
    skip_existing: bool = False,
) -> ImportResult:
    """Add every case of the file as one version, with `source` `import`, in the file's order.

    The file is read before the dataset is locked. Raises `NotFound`, `NotAllowed`, `TooLarge`, `Invalid` with a problem
    for every bad row, `Conflict` at a limit; then nothing is stored.
    """
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    return import_cases(
        actor, dataset_id=dataset_id, drafts=drafts, seen_version=seen_version, skip_existing=skip_existing
    )


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
    actor: Actor,
    *,
    dataset_id: UUID,
    drafts: Sequence[CaseDraft],
    seen_version: int | None = None,
    skip_existing: bool = False,
) -> ImportResult:
    """Add the cases that `read_cases` read, as one version.

    Where every case of the file is there word for word, nothing differs and no version is made. Where some are, all are
    added (DS-122), or with `skip_existing` only the others. Apart from the reading, which may take long: on SQLite a
    transaction holds the one write lock of all. Raises `NotFound`, `NotAllowed`, `Conflict` at a limit; then nothing is
    stored.
    """
    dataset = lock_for_change(actor, dataset_id, seen_version=seen_version)
    cases = compare(actor, dataset, drafts)
    differing = [case for case in cases if not case.is_there]
    identical = len(cases) - len(differing)
    if not differing:
        return ImportResult(find_version(dataset, dataset.newest_version), 0, 0, 0, identical)
    added = differing if skip_existing else cases
    change = Change(VersionKind.IMPORTED, added=[case.draft for case in added], source=Source.IMPORT)
    version, _stored = make_version(actor, dataset, change=change)
    hidden = hidden_in(change.added)
    details = {"added": len(added), "credentials_hidden": hidden}
    audit.record(actor, "dataset.imported", dataset, version=version.number, **details)
    return ImportResult(version, len(added), sum(case.is_twin for case in added), hidden, identical)


def import_file_once(
    actor: Actor, *, dataset_id: UUID, name: str, data: bytes, key: str, skip_existing: bool = False
) -> ImportResult:
    """Import for a form that may be sent twice: the same key changes nothing the second time (DS-D46).

    Gives what the first sending did. Raises what `import_file` raises.
    """
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    named = sha256(key.encode("utf-8", "replace")).hexdigest()
    sent = sha256(dataset_id.bytes + bytes([skip_existing]) + data).hexdigest()
    with transaction.atomic():
        claimed = claim_request(actor, key=f"import:{named}", fingerprint=sent)
        if isinstance(claimed, FirstAnswer):
            number, *counts = map(int, claimed.body.split())
            return ImportResult(find_version(find_dataset(actor, dataset_id), number), *counts)
        result = import_cases(actor, dataset_id=dataset_id, drafts=drafts, skip_existing=skip_existing)
        numbers = (result.version.number, result.added, result.twins, result.hidden, result.identical)
        remember_answer(claimed, FirstAnswer(201, " ".join(map(str, numbers)), {}))
    return result


def preview_import(actor: Actor, *, dataset_id: UUID, name: str, data: bytes) -> ImportPreview:
    """What `import_file` would do with this file; raises what it would raise, and stores nothing."""
    drafts = read_cases(actor, dataset_id=dataset_id, name=name, data=data)
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    return ImportPreview(compare(actor, dataset, drafts), dataset.newest_version + 1)


def hidden_in(drafts: Sequence[CaseDraft]) -> int:
    """How many credentials were hidden in all of them."""
    return sum(draft.hidden for draft in drafts)


def _summary(read: ReadRows) -> str:
    rows = len({problem.row for problem in read.problems})
    return ngettext(
        "%(rows)d of %(count)d rows is not valid. Nothing was imported.",
        "%(rows)d of %(count)d rows are not valid. Nothing was imported.",
        rows,
    ) % {"rows": rows, "count": read.count}
