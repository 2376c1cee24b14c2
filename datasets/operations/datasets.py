"""Creating, changing and deleting datasets; none of these makes a version (DS-61)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.members import lock_members
from accounts.operations.named_resources import change_named_resource
from accounts.permissions import Permission
from core.errors import Invalid, Problem
from core.limits import LIMITS
from datasets.models import Case, Dataset
from datasets.operations.versions import free_revisions, lock_for_change
from datasets.places import holdings


@transaction.atomic
def create_dataset(
    actor: Actor, *, name: str, description: str = "", visibility: str = Visibility.ORGANISATION
) -> Dataset:
    """Make an empty dataset owned by the actor; it has no version yet (ACC-2, ACC-D3, DS-D7).

    Raises `NotAllowed` without `datasets:edit` of any scope, `Invalid` for a wrong name, description or visibility.
    """
    lock_members(actor)  # a removal hands over what its member owns by then
    access.require(actor, Permission.DATASETS_EDIT)
    if actor.member is None:
        raise ValueError("a dataset has an owner, so somebody must create it")
    wanted = _checked({"name": name, "description": description, "visibility": visibility})
    dataset = Dataset.objects.create(organisation=actor.organisation, owner=actor.member, **wanted)
    audit.record(actor, "dataset.created", dataset, visibility=dataset.visibility)
    return dataset


@transaction.atomic
def change_details(
    actor: Actor,
    *,
    dataset_id: UUID,
    name: str | None = None,
    description: str | None = None,
    visibility: str | None = None,
) -> Dataset:
    """Change what is given, the rest stays; makes no version (DS-61, ACC-3, ACC-D7).

    Raises `NotFound`, `NotAllowed` without `datasets:edit` on it, `Invalid`.
    """
    dataset = lock_for_change(actor, dataset_id)
    given = {"name": name, "description": description, "visibility": visibility}
    wanted = _checked({field: value for field, value in given.items() if value is not None})
    change_named_resource(actor, dataset, wanted=wanted)
    return dataset


@transaction.atomic
def delete_dataset(actor: Actor, *, dataset_id: UUID) -> None:
    """Delete the dataset with its versions, cases and grants, and free its revisions (DS-74, DS-D17).

    What other apps hold of it goes by their foreign keys; before that they may cancel or refuse.
    Raises `NotFound`, `NotAllowed` without `datasets:edit` on it, `Conflict` where an app refuses.
    """
    dataset = lock_for_change(actor, dataset_id)
    for holding in holdings():
        if holding.before_deletion:
            holding.before_deletion(actor, dataset)
    counts = {"versions": dataset.newest_version, "cases": dataset.case_count}
    audit.record(actor, "dataset.deleted", dataset, revisions=free_revisions(dataset), **counts)
    Case.objects.filter(dataset=dataset).delete()
    dataset.delete()


def _checked(values: dict[str, str]) -> dict[str, str]:
    """The values as they are stored: the name trimmed. Raises `Invalid` with every problem."""
    values = {**values, "name": values["name"].strip()} if "name" in values else values
    problems = [Problem(field, message) for field, value in values.items() for message in _wrong(field, value)]
    if problems:
        raise Invalid(problems)
    return values


def _wrong(field: str, value: str) -> list[str]:
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        return [_("The text holds a character that cannot be stored.")]
    if field == "visibility":
        known = ", ".join(Visibility.values)
        return [] if value in Visibility.values else [_("Choose one of: %(known)s.") % {"known": known}]
    if field == "name" and not value:
        return [_("Give the dataset a name.")]
    limit = LIMITS.name_characters if field == "name" else LIMITS.description_characters
    if len(value) > limit:
        return [_("At most %(limit)d characters; this has %(count)d.") % {"limit": limit, "count": len(value)}]
    return []
