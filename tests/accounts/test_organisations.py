"""Making and renaming organisations (PL-2)."""

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Organisation
from accounts.operations.api_keys import issue_api_key
from accounts.operations.organisations import create_organisation, rename_organisation
from core.errors import Invalid, NotAllowed
from tests.cast import Cast


@pytest.mark.spec("PL-2")
def test_an_owner_makes_another_organisation_and_owns_it(cast: Cast) -> None:
    member = create_organisation(cast.actor("owner"), name=" Second  one ")
    assert (member.user, member.role, member.organisation.name) == (cast.owner.user, "owner", "Second one")
    assert AuditEntry.objects.get(organisation=member.organisation).action == "organisation.created"


@pytest.mark.parametrize("role", ["admin", "builder", "operator", "member", "viewer"])
def test_others_make_none(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        create_organisation(cast.actor(role), name="Second")


def test_a_key_makes_none(cast: Cast) -> None:
    key = issue_api_key(cast.actor("owner"), name="k").api_key
    with pytest.raises(NotAllowed):
        create_organisation(Actor.of_key(key), name="Second")


@pytest.mark.parametrize("role", ["owner", "admin"])
def test_who_manages_the_organisation_renames_it(cast: Cast, role: str) -> None:
    assert rename_organisation(cast.actor(role), name="Kettle").name == "Kettle"
    assert AuditEntry.objects.get().details == {"fields": ["name"]}


@pytest.mark.parametrize("role", ["builder", "viewer"])
def test_others_do_not_rename_it(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        rename_organisation(cast.actor(role), name="Mine")


def test_the_same_name_is_not_logged_and_no_name_is_refused(cast: Cast) -> None:
    rename_organisation(cast.actor("owner"), name="Kettle & Co")
    assert not AuditEntry.objects.exists()
    with pytest.raises(Invalid):
        rename_organisation(cast.actor("owner"), name="\u200b".replace("\u200b", " "))
    assert Organisation.objects.filter(name="Kettle & Co").exists()
