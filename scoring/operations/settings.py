"""Changing how a dataset is graded, and keeping the copy that scores are computed with (SC-44 to SC-52, SC-D18)."""

import secrets
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict
from core.problems import Problem
from core.reading_child import ReadingChild
from core.refusals import refusal
from datasets.models import Dataset
from datasets.operations.versions import lock_for_change
from datasets.queries.datasets import find_dataset
from scoring.logic.hashes import sha256_of_json
from scoring.logic.settings import Json
from scoring.logic.settings_changes import Changes, Difference, differences, merged, read_changes
from scoring.logic.settings_values import NO_JUDGE, NO_MODEL
from scoring.models import GradingSettings, GradingSnapshot
from scoring.queries.judge_choices import is_judge, is_model
from scoring.queries.settings import DatasetSettings, as_settings, settings_of


def read_settings(actor: Actor, *, dataset_id: UUID, raw: Any) -> Changes:
    """What a body says, as `change_scoring` takes it; outside of a transaction, since reading patterns takes time.

    What is wrong by itself is told by `change_scoring`, with everything else. Raises `NotFound`, `NotAllowed`.
    """
    find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    with ReadingChild() as child:
        return read_changes(raw, child)


def change_scoring(actor: Actor, *, dataset_id: UUID, changes: Any, revision: int | None = None) -> DatasetSettings:
    """Merge what `changes` names into the stored settings; all else stays, and no dataset version is made.

    `changes` is the body, or what `read_settings` made of it. Without `revision`, the one that the change began from,
    it is merged into whatever is stored. Raises `NotFound`, `NotAllowed` without `datasets:edit` on the dataset,
    `Conflict` `settings_changed` with the settings of now, `Invalid` with the path of each problem; nothing is saved
    then (SC-D19, SC-D20).
    """
    read = changes if isinstance(changes, Changes) else read_settings(actor, dataset_id=dataset_id, raw=changes)
    return _change(actor, dataset_id, read, revision)


def could_change_scoring(actor: Actor, *, dataset_id: UUID, changes: Any, revision: int | None) -> bool:
    """Whether saving this would succeed as things stand; nothing is kept (SC-31). Raises `NotFound`, `NotAllowed`."""
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    before = settings_of(dataset)
    if revision is not None and revision != before.revision:
        return False
    read = read_settings(actor, dataset_id=dataset_id, raw=changes)
    after, problems = merged(before.stored, read, _criterion_id)
    return not problems and not _strange(actor, before.stored, after)


@transaction.atomic
def snapshot_of(dataset: Dataset, stored: Json | None = None) -> GradingSnapshot:
    """The kept copy of these settings, by default those of now; one row for all scores that used the same (SC-45).

    It never changes, whatever the settings become (SC-46).
    """
    kept: Any = settings_of(dataset).stored if stored is None else stored
    snapshot, _is_new = GradingSnapshot.objects.get_or_create(
        dataset=dataset, digest=sha256_of_json(kept), defaults={"settings": kept}
    )
    return snapshot


@transaction.atomic
def _change(actor: Actor, dataset_id: UUID, changes: Changes, revision: int | None) -> DatasetSettings:
    dataset = lock_for_change(actor, dataset_id)  # also where no row of settings is there yet to be locked
    before = settings_of(dataset)
    if revision is not None and revision != before.revision:
        _refuse_stale(before)
    after, problems = merged(before.stored, changes, _criterion_id)
    problems += _strange(actor, before.stored, after)
    if problems:
        raise refusal(problems)
    return _saved(actor, dataset, before, after)


def _refuse_stale(now: DatasetSettings) -> None:
    message = _("Somebody else changed the grading of this dataset meanwhile.")
    raise Conflict("settings_changed", message, {"revision": now.revision, "settings": now.stored})


def _strange(actor: Actor, before: Json, after: Json) -> list[Problem]:
    """A judge or a model that was not chosen before and that is none for this person."""
    problems = []
    for key, is_known, words in (("agent", is_judge, NO_JUDGE), ("model", is_model, NO_MODEL)):
        wanted = after["judge"][key]
        if wanted and wanted != before["judge"][key] and not is_known(actor, wanted):
            problems.append(Problem(f"judge.{key}", words))
    return problems


def _saved(actor: Actor, dataset: Dataset, before: DatasetSettings, after: Json) -> DatasetSettings:
    """Store and tell the log; settings that somebody saves as they are set grading up, and nothing else changes."""
    changed = differences(before.stored, after)
    if not changed and before.are_saved:
        return before
    values = {"settings": after, "revision": before.revision + 1, "changed_at": timezone.now()}
    row, _is_new = GradingSettings.objects.update_or_create(
        dataset=dataset, defaults={**values, "changed_by": actor.member}
    )
    audit.record(actor, "scoring.changed", dataset, revision=row.revision, **_told(changed))
    return as_settings(row)


def _told(changed: list[Difference]) -> dict[str, Any]:
    """Which settings, what they said and what they say; credentials were hidden when they were read (SC-D21)."""
    return {
        "keys": [one.key for one in changed],
        "before": {one.key: one.old for one in changed},
        "after": {one.key: one.new for one in changed},
    }


def _criterion_id() -> str:
    return f"c-{secrets.token_hex(6)}"
