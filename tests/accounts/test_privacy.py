"""Persons, their erasure and their data export (ACC-D36, ACC-D43)."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection

from accounts import privacy
from accounts.actor import Actor
from accounts.jobs import daily_upkeep_job, person_request_job
from accounts.models import AuditEntry, Invitation, Member, Person, PersonRequest, User
from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import accept_invitation, invite_member
from accounts.operations.persons import ensure_person_of_member, person_by_external_id
from accounts.operations.privacy import carry_out, erase_person, export_person, read_export
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.accounts.shared import make_thing
from tests.cast import Cast, make_cast

CALLS: list[str] = []


def erase_words(person: Person) -> dict[str, int]:
    CALLS.append(str(person.pk))
    return {"words": 2}


def export_words(person: Person) -> list[str]:
    return ["żółw"]


@pytest.fixture
def _words() -> Iterator[None]:
    CALLS.clear()
    privacy.register("words", erase=f"{__name__}.erase_words", export=f"{__name__}.export_words", counts={})
    yield
    privacy._handlers.pop("words")


def test_every_registered_handler_can_be_called() -> None:
    assert "accounts" in [handler.name for handler in privacy.handlers()]
    assert privacy.handlers()[-1].name == "accounts"
    assert all(callable(handler.erase) and callable(handler.export) for handler in privacy.handlers())


def test_a_member_has_one_person(cast: Cast) -> None:
    assert ensure_person_of_member(cast.member) == ensure_person_of_member(cast.member)


def test_an_external_id_is_one_person_in_each_organisation(cast: Cast) -> None:
    here = person_by_external_id(cast.kettle, external_id=" u-1")
    assert here == person_by_external_id(cast.kettle, external_id=" u-1")
    assert here != person_by_external_id(cast.kettle, external_id="u-1")
    assert here != person_by_external_id(cast.other, external_id=" u-1")


@pytest.mark.parametrize("external_id", ["", "  ", "x" * 256, "a\x00", "\ud800", 7, None])
def test_what_is_no_external_id_is_refused(cast: Cast, external_id: object) -> None:
    with pytest.raises(Invalid) as refused:
        person_by_external_id(cast.kettle, external_id=external_id)
    assert refused.value.problems[0].field == "external_id"


@pytest.mark.spec("BC-16")
def test_one_external_id_at_once_makes_one_person(transactional_db: None) -> None:
    cast = make_cast()

    def find(_number: int) -> object:
        try:
            return person_by_external_id(cast.kettle, external_id="u-1").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(find, range(12)))) == 1


@pytest.mark.spec("ACC-D36")
@pytest.mark.usefixtures("_words")
def test_an_erased_member_s_name_and_address_are_nowhere(cast: Cast) -> None:
    issue_api_key(cast.actor("builder"), name="Builder's laptop")
    thing = make_thing(cast.builder)
    person = ensure_person_of_member(cast.builder)
    asked = erase_person(cast.actor("admin"), person_id=person.pk)
    thing.refresh_from_db()
    assert thing.owner == cast.owner
    person_request_job(request_id=str(asked.pk))
    asked.refresh_from_db()
    assert asked.report["datasets"]["cases_anonymised"] == 0
    assert {name: asked.report[name] for name in ("words", "accounts")} == {
        "words": {"words": 2},
        "accounts": {"exports": 0, "invitations": 0, "api_keys": 1, "members": 1, "users": 1},
    }
    assert asked.finished_at
    everything = "".join(
        str(list(model.objects.values())) for model in (User, Member, Person, Invitation, AuditEntry, PersonRequest)
    )
    assert "builder@example.org" not in everything
    assert "Builder" not in everything.replace("builder", "")
    assert str(Member.objects.get(pk=cast.builder.pk)) == "Erased person"


@pytest.mark.spec("ACC-D36")
@pytest.mark.usefixtures("_words")
def test_an_erasure_can_be_repeated_without_harm(cast: Cast) -> None:
    asked = erase_person(cast.actor("admin"), person_id=ensure_person_of_member(cast.builder).pk)
    carry_out(asked.pk)
    assert carry_out(asked.pk) is None
    PersonRequest.objects.update(finished_at=None)
    carry_out(asked.pk)
    assert AuditEntry.objects.filter(action="person.erased").count() == 2
    asked.refresh_from_db()
    assert asked.report["accounts"]["members"] == 1
    assert ("Memberships without a name", 1) in privacy.in_words(asked.report)
    assert all("_" not in words for words, _number in privacy.in_words(asked.report))


@pytest.mark.spec("ACC-D36")
@pytest.mark.usefixtures("_words")
def test_a_lost_job_is_found_again_by_the_daily_one(cast: Cast) -> None:
    asked = erase_person(cast.actor("admin"), person_id=ensure_person_of_member(cast.builder).pk)
    daily_upkeep_job()
    assert not CALLS
    PersonRequest.objects.update(created_at=cast.builder.joined_at.replace(year=2020))
    daily_upkeep_job()
    asked.refresh_from_db()
    assert asked.finished_at
    assert [str(asked.person_id)] == CALLS


def test_a_login_with_a_membership_elsewhere_stays_there(cast: Cast) -> None:
    user = cast.both.user
    carry_out(erase_person(cast.actor("admin"), person_id=ensure_person_of_member(cast.both).pk).pk)
    cast.both.refresh_from_db()
    cast.both_elsewhere.refresh_from_db()
    assert cast.both_elsewhere.user == user
    assert cast.both.user != user
    user.refresh_from_db()
    assert user.name == "Both"


def test_an_erased_person_who_comes_again_is_somebody_new(cast: Cast) -> None:
    carry_out(erase_person(cast.actor("admin"), person_id=ensure_person_of_member(cast.builder).pk).pk)
    token = invite_member(cast.actor("admin"), email="builder@example.org", role="viewer").token
    again = accept_invitation(token=token, name="B", password="correct horse battery")
    assert again.pk != cast.builder.pk


def test_an_end_user_known_by_an_id_is_erased_and_the_id_freed(cast: Cast) -> None:
    person = person_by_external_id(cast.kettle, external_id="u-1")
    carry_out(erase_person(cast.actor("owner"), person_id=person.pk).pk)
    person.refresh_from_db()
    assert (person.external_id, str(person)) == (None, "Erased person")
    assert person_by_external_id(cast.kettle, external_id="u-1") != person


def test_who_may_not_erase_whom(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        erase_person(cast.actor("builder"), person_id=ensure_person_of_member(cast.viewer).pk)
    with pytest.raises(NotAllowed):
        erase_person(cast.actor("admin"), person_id=ensure_person_of_member(cast.owner).pk)
    with pytest.raises(Conflict):
        erase_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.owner).pk)
    for person_id in (uuid4(), ensure_person_of_member(cast.stranger).pk):
        with pytest.raises(NotFound):
            erase_person(cast.actor("owner"), person_id=person_id)


def test_asking_twice_is_one_request_and_erased_is_erased(cast: Cast) -> None:
    person = ensure_person_of_member(cast.viewer)
    first = erase_person(cast.actor("admin"), person_id=person.pk)
    assert erase_person(cast.actor("admin"), person_id=person.pk) == first
    carry_out(first.pk)
    for act in (erase_person, export_person):
        with pytest.raises(Conflict):
            act(cast.actor("admin"), person_id=person.pk)


@pytest.mark.spec("ACC-D43")
@pytest.mark.usefixtures("_words")
def test_a_person_or_an_owner_fetches_the_export_and_it_is_stored_encrypted(cast: Cast) -> None:
    asked = export_person(cast.actor("member"), person_id=ensure_person_of_member(cast.member).pk)
    carry_out(asked.pk)
    asked.refresh_from_db()
    assert "member@example.org" not in asked.content
    for name in ("member", "owner"):
        found = json.loads(read_export(cast.actor(name), request_id=asked.pk))
        assert found["accounts"]["email"] == "member@example.org"
        assert found["words"] == ["żółw"]
    with pytest.raises(NotAllowed):
        read_export(cast.actor("admin"), request_id=asked.pk)
    for name in ("viewer", "stranger"):
        with pytest.raises(NotFound):
            read_export(cast.actor(name), request_id=asked.pk)


@pytest.mark.spec("ACC-D43")
def test_who_may_ask_for_an_export(cast: Cast) -> None:
    person = ensure_person_of_member(cast.member)
    assert export_person(cast.actor("admin"), person_id=person.pk)
    for name in ("viewer", "stranger"):
        with pytest.raises(NotFound):
            export_person(cast.actor(name), person_id=person.pk)


def test_an_export_of_an_end_user_and_its_end_after_seven_days(cast: Cast) -> None:
    asked = export_person(cast.actor("owner"), person_id=person_by_external_id(cast.kettle, external_id="u-1").pk)
    carry_out(asked.pk)
    assert json.loads(read_export(cast.actor("owner"), request_id=asked.pk))["accounts"] == {"external_id": "u-1"}
    PersonRequest.objects.update(finished_at=cast.owner.joined_at.replace(year=2020))
    daily_upkeep_job()
    with pytest.raises(NotFound):
        read_export(cast.actor("owner"), request_id=asked.pk)


def test_a_restricted_key_reads_nobody_s_export(cast: Cast) -> None:
    asked = export_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.owner).pk)
    carry_out(asked.pk)
    weak = issue_api_key(cast.actor("owner"), name="k", permissions=["datasets:view"]).api_key
    with pytest.raises(NotFound):
        read_export(Actor.of_key(weak), request_id=asked.pk)
