"""The first start makes the first Owner, once (PL-1)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.models import AuditEntry, Member, Organisation, User
from accounts.operations.setup import set_up
from accounts.permissions import Role
from core.errors import Invalid, NotFound

FIRST = {
    "email": "Ada@Example.org",
    "name": "Ada",
    "password": "correct horse battery",
    "organisation_name": "Kettle & Co",
}


def problems_of(error: Invalid) -> set[str]:
    return {problem.field for problem in error.problems}


@pytest.mark.spec("PL-1")
def test_the_first_user_owns_the_first_organisation(db: None) -> None:
    member = set_up(**FIRST, address="192.0.2.1")
    assert (member.user.email, member.role, member.organisation.name) == ("ada@example.org", Role.OWNER, "Kettle & Co")
    assert member.user.check_password("correct horse battery")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.address, entry.member) == ("organisation.set_up", "192.0.2.1", member)


@pytest.mark.spec("PL-1")
def test_there_is_no_second_set_up(db: None) -> None:
    set_up(**FIRST)
    with pytest.raises(NotFound):
        set_up(**FIRST | {"email": "eve@example.org"})
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "no address"),
        ("email", f"{'a' * 250}@example.org"),
        ("name", "  "),
        ("name", "a\x00b"),
        ("name", "n" * 121),
        ("password", "short"),
        ("password", ""),
        ("organisation_name", ""),
    ],
)
def test_a_wrong_field_is_named_and_nothing_stays(db: None, field: str, value: str) -> None:
    with pytest.raises(Invalid) as refused:
        set_up(**FIRST | {field: value})
    assert problems_of(refused.value) == {field}
    assert not Organisation.objects.exists()
    assert not User.objects.exists()


@pytest.mark.spec("PL-1")
def test_of_two_set_ups_at_once_one_wins(transactional_db: None) -> None:
    def attempt(number: int) -> Any:
        try:
            return set_up(**FIRST | {"email": f"person{number}@example.org"})
        except NotFound:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        made = [member for member in pool.map(attempt, range(4)) if member]
    assert len(made) == 1
    assert User.objects.count() == Organisation.objects.count() == Member.objects.count() == 1
