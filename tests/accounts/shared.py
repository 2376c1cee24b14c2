"""What the tests of access share: a thing of every kind that the rule tells apart, and grants on it."""

from accounts import access
from accounts.models import Member, Visibility
from accounts.permissions import GrantLevel
from datasets.models import Dataset
from tests.cast import Cast


def make_thing(owner: Member, name: str = "Thing", visibility: str = Visibility.ORGANISATION) -> Dataset:
    return Dataset.objects.create(organisation=owner.organisation, owner=owner, name=name, visibility=visibility)


def grant(thing: Dataset, member: Member, level: GrantLevel) -> None:
    access.put_grant(thing, user=member.user, level=level)


KINDS = ("own", "own_private", "shared", "private", "granted_read", "granted_edit", "granted_use", "elsewhere")


def things_around(cast: Cast, member: Member) -> dict[str, Dataset]:
    """One dataset of each kind, as seen by the member."""
    other = cast.colleague if member != cast.colleague else cast.owner
    private = Visibility.PRIVATE
    things = {
        "own": make_thing(member, "own"),
        "own_private": make_thing(member, "own_private", private),
        "shared": make_thing(other, "shared"),
        "private": make_thing(other, "private", private),
        "granted_read": make_thing(other, "granted_read", private),
        "granted_edit": make_thing(other, "granted_edit", private),
        "granted_use": make_thing(other, "granted_use", private),
        "elsewhere": make_thing(cast.stranger, "elsewhere"),
    }
    for level in GrantLevel:
        grant(things[f"granted_{level}"], member, level)
    return things
