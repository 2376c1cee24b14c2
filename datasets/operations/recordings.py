"""Replaying a recording: the dataset grows version by version, through the operations of a person's work (PL-50)."""

import json
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts import access
from accounts.actor import Actor
from accounts.models import Member
from accounts.permissions import Permission
from datasets.logic.folding import question_hash
from datasets.logic.recordings import ADD, DELETE, EDIT, IMPORT, Recording
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.drafts import changes_from, draft_from
from datasets.operations.imports import import_file


@transaction.atomic
def replay(actor: Actor, *, recording: Recording) -> Dataset:
    """Make the dataset of a recording: the actor owns it and imports the first cases, then its editors take turns.

    Raises what the operations raise; then nothing of the dataset is there.
    """
    details = {"description": recording.description, "visibility": recording.visibility}
    dataset = create_dataset(actor, name=recording.name, **details)
    import_file(actor, dataset_id=dataset.pk, name=recording.first.name, data=recording.first.read_bytes())
    for editor, change in zip(cycle(_editors(actor, dataset)), recording.changes, strict=False):
        _ACTS[change["act"]](editor, dataset, change)
    dataset.refresh_from_db()
    return dataset


def _editors(actor: Actor, dataset: Dataset) -> Sequence[Actor]:
    """Who may change the dataset, so that its versions show several names."""
    members = Member.objects.active().of(actor).select_related("organisation").order_by("joined_at", "pk")
    actors = [Actor.of_member(member) for member in members]
    return [each for each in actors if access.may(each, Permission.DATASETS_EDIT, dataset)] or [actor]


def _edit(actor: Actor, dataset: Dataset, change: Mapping[str, Any]) -> None:
    case = _asking(dataset, change["find"])
    edit_case(actor, dataset_id=dataset.pk, case_id=case, changes=changes_from(change["fields"]))


def _add(actor: Actor, dataset: Dataset, change: Mapping[str, Any]) -> None:
    add_case(actor, dataset_id=dataset.pk, draft=draft_from(change["case"]))


def _delete(actor: Actor, dataset: Dataset, change: Mapping[str, Any]) -> None:
    delete_cases(actor, dataset_id=dataset.pk, case_ids=[_asking(dataset, change["find"])])


def _import(actor: Actor, dataset: Dataset, change: Mapping[str, Any]) -> None:
    lines = "\n".join(json.dumps(case) for case in change["cases"])
    import_file(actor, dataset_id=dataset.pk, name="more.jsonl", data=lines.encode())


def _asking(dataset: Dataset, question: str) -> UUID:
    """The case that asks exactly this now; twins differ in letter case or spacing, so the hash alone is not enough."""
    same = CaseRevision.objects.newest(dataset).filter(question_hash=question_hash(question))
    return same.get(input=question).case_id


_ACTS = {EDIT: _edit, ADD: _add, DELETE: _delete, IMPORT: _import}
