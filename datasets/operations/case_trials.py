"""Whether saving a case would succeed, found by saving it and taking it back (DS-D30)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.actor import Actor
from core.errors import Conflict, Invalid
from datasets.logic.drafts import CaseDraft
from datasets.operations.cases import add_case, edit_case


def could_add(actor: Actor, *, dataset_id: UUID, draft: CaseDraft) -> bool:
    """Whether `add_case` would succeed now. Raises `NotFound`, `NotAllowed`."""
    try:
        with transaction.atomic():
            add_case(actor, dataset_id=dataset_id, draft=draft)
            transaction.set_rollback(True)
    except (Conflict, Invalid):
        return False
    return True


def could_edit(
    actor: Actor,
    *,
    dataset_id: UUID,
    case_id: UUID,
    changes: Mapping[str, Any],
    base_revision: int,
    base_removal: str | None = None,
) -> bool:
    """Whether `edit_case` would succeed now. Raises `NotFound`, `NotAllowed`."""
    bases: dict[str, Any] = {"base_revision": base_revision, "base_removal": base_removal}
    try:
        with transaction.atomic():
            edit_case(actor, dataset_id=dataset_id, case_id=case_id, changes=changes, **bases)
            transaction.set_rollback(True)
    except (Conflict, Invalid):
        return False
    return True
