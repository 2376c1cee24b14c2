"""Sharing in the console: visibility, members, levels, owner (ACC-3, ACC-13 to ACC-17, ACC-D5 to ACC-D8)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts import access
from accounts.models import AuditEntry
from accounts.operations.members import remove_member
from accounts.operations.sharing import change_visibility, share
from accounts.permissions import GrantLevel
from accounts.queries.sharing import grants_of
from datasets.models import Dataset
from tests.cast import Cast, make_member
from tests.datasets.pages import PART, text

SignIn = Callable[[str], Client]
SHARING = "?tab=settings&part=sharing"


def levels(dataset: Dataset) -> list[tuple[Any, str]]:
    return [(row.member, row.level.value) for row in grants_of(dataset)]


@pytest.mark.spec("ACC-1", "ACC-3")
def test_the_part_shows_owner_visibility_and_who_may_by_role(cast: Cast, browser: Client, page: str) -> None:
    shown = text(browser.get(page + SHARING))
    for words in ("Everyone in the organisation", "Every role", "Owner, Admin, Builder", "builder@example.org"):
        assert words in shown
    browser.post(f"{page}visibility/", {"visibility": "private"})
    shown = text(browser.get(page + SHARING))
    assert "Owner, Admin, Builder, Operator" in shown
    assert "Show it to the organisation" in shown


@pytest.mark.spec("ACC-22", "ACC-D7")
def test_who_may_not_share_sees_the_owner_and_no_member_it_is_shared_with(
    cast: Cast, dataset: Dataset, sign_in: SignIn, page: str
) -> None:
    share(cast.actor("builder"), dataset, member_id=cast.member.pk, level="edit")
    shown = text(sign_in("viewer").get(page + SHARING))
    assert "Builder" in shown
    assert "member@example.org" not in shown
    for act in (">Share<", ">Hand over<", ">Make it private<"):
        assert act not in shown


@pytest.mark.spec("ACC-3", "ACC-D7", "ACC-D45")
def test_making_it_private_says_who_loses_access_first(
    cast: Cast, browser: Client, dataset: Dataset, page: str
) -> None:
    share(cast.actor("builder"), dataset, member_id=cast.member.pk, level="read")
    asked = text(browser.get(f"{page}visibility/", headers=PART))
    assert "3 members lose access to it:" in asked
    for name in ("Viewer", "Colleague", "Both"):
        assert f"<li>{name} " in asked
    assert "<li>Member " not in asked
    answer = browser.post(f"{page}visibility/", {"visibility": "private"})
    assert answer["Location"] == page + SHARING
    dataset.refresh_from_db()
    assert dataset.visibility == "private"
    assert "3 more members will see it" in text(browser.get(f"{page}visibility/", headers=PART))
    assert AuditEntry.objects.filter(action="dataset.visibility_changed").count() == 1
    assert browser.post(f"{page}visibility/", {"visibility": "world"}).status_code == 422


@pytest.mark.spec("ACC-13", "ACC-D5")
def test_a_member_is_found_by_name_or_address_accents_ignored(cast: Cast, browser: Client, page: str) -> None:
    make_member(cast.kettle, "żaneta łoś", "viewer")  # type: ignore[arg-type]
    found = {"HX-Request": "true", "HX-Target": "member-choices"}
    for search in ("zaneta", "LOS zan", "ŻANETA", "łoś@example"):
        shown = text(browser.get(f"{page}sharing/new/?q={search}", headers=found))
        assert shown.count('type="radio" name="member"') == 1, search
        assert "Żaneta Łoś" in shown
        assert "<html" not in shown
    assert "Nobody in the organisation has" in text(browser.get(f"{page}sharing/new/?q=stranger", headers=found))
    everybody = text(browser.get(f"{page}sharing/new/", headers=PART))
    assert "Stranger" not in everybody
    assert "Builder@example.org" not in everybody
    assert 'value="use"' not in everybody


@pytest.mark.spec("ACC-6", "ACC-13", "ACC-D5", "ACC-D45")
def test_sharing_gives_a_level_and_a_second_time_replaces_it(
    cast: Cast, browser: Client, dataset: Dataset, page: str
) -> None:
    sent = {"member": str(cast.viewer.pk), "level": "read"}
    assert browser.post(f"{page}sharing/new/", sent)["Location"] == page + SHARING
    assert "Viewer can view now." in text(browser.get(page + SHARING))
    assert "can view already" in text(browser.get(f"{page}sharing/new/", headers=PART))
    browser.post(f"{page}sharing/new/", sent | {"level": "edit"}, headers=PART)
    assert levels(dataset) == [(cast.viewer, "edit")]
    assert AuditEntry.objects.filter(action="dataset.shared").count() == 2


@pytest.mark.spec("ACC-13", "ACC-D5")
def test_nobody_and_strangers_and_those_who_left_are_refused_in_place(
    cast: Cast, browser: Client, dataset: Dataset, page: str
) -> None:
    remove_member(cast.actor("owner"), member_id=cast.viewer.pk)
    for member in ("", str(cast.stranger.pk), str(cast.viewer.pk), "nonsense", str(cast.builder.pk)):
        answer = browser.post(f"{page}sharing/new/", {"member": member, "level": "read"}, headers=PART)
        assert answer.status_code == 422, member
        assert "field-error" in text(answer)
    assert browser.post(f"{page}sharing/new/", {"member": str(cast.member.pk), "level": "use"}).status_code == 422
    assert levels(dataset) == []


@pytest.mark.spec("ACC-13")
def test_a_level_changes_in_place(cast: Cast, browser: Client, dataset: Dataset, page: str) -> None:
    share(cast.actor("builder"), dataset, member_id=cast.viewer.pk, level="read")
    answer = browser.post(f"{page}sharing/{cast.viewer.pk}/level/", {"level": "edit"}, headers=PART)
    assert answer.content.strip().startswith(b'<section class="section" id="grants">')
    assert "Viewer can edit now." in answer["HX-Trigger"]
    assert levels(dataset) == [(cast.viewer, "edit")]
    assert browser.post(f"{page}sharing/{cast.viewer.pk}/level/", {"level": "use"}, headers=PART).status_code == 422
    for stranger in (cast.member.pk, cast.stranger.pk, uuid4()):
        assert browser.post(f"{page}sharing/{stranger}/level/", {"level": "edit"}, headers=PART).status_code == 404


@pytest.mark.spec("ACC-14", "ACC-15", "ACC-16", "ACC-17")
def test_a_use_grant_says_that_it_has_no_effect_and_can_be_removed(
    cast: Cast, browser: Client, dataset: Dataset, page: str
) -> None:
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.USE)
    shown = text(browser.get(page + SHARING))
    assert "No effect" in shown
    assert f'id="level-{cast.viewer.pk}"' not in shown
    asked = text(browser.get(f"{page}sharing/{cast.viewer.pk}/remove/", headers=PART))
    assert "Nothing changes for them" in asked
    browser.post(f"{page}sharing/{cast.viewer.pk}/remove/")
    assert levels(dataset) == []


@pytest.mark.spec("ACC-6", "ACC-D1")
@pytest.mark.parametrize(
    ("name", "private", "words"),
    [
        ("viewer", True, "Viewer no longer sees it"),
        ("viewer", False, "can still view it, by the role Viewer"),
        ("admin", True, "can still edit it, by the role Admin"),
        ("operator", True, "can still view it, by the role Operator"),
    ],
)
def test_removing_says_what_stays_of_the_access(
    cast: Cast, browser: Client, dataset: Dataset, page: str, name: str, private: bool, words: str
) -> None:
    share(cast.actor("builder"), dataset, member_id=cast.members[name].pk, level="edit")
    if private:
        change_visibility(cast.actor("builder"), dataset, visibility="private")
    asked = text(browser.get(f"{page}sharing/{cast.members[name].pk}/remove/", headers=PART))
    assert words in asked


def test_who_removes_their_own_access_goes_to_the_list(cast: Cast, private: Dataset, sign_in: SignIn) -> None:
    share(cast.actor("builder"), private, member_id=cast.viewer.pk, level="edit")
    answer = sign_in("viewer").post(f"/datasets/{private.pk}/sharing/{cast.viewer.pk}/remove/")
    assert answer["Location"] == "/datasets/"


@pytest.mark.spec("ACC-D8", "ACC-D45")
def test_the_owner_hands_over_and_is_told_when_that_ends_their_access(
    cast: Cast, private: Dataset, sign_in: SignIn
) -> None:
    page = f"/datasets/{private.pk}/"
    assert "you lose access" not in text(sign_in("builder").get(f"{page}owner/", headers=PART))
    given = sign_in("builder").post(f"{page}owner/", {"member": str(cast.member.pk)})
    assert given["Location"] == page + SHARING
    member = sign_in("member")
    assert "you lose access" in text(member.get(f"{page}owner/", headers=PART))
    assert member.post(f"{page}owner/", {"member": ""}, headers=PART).status_code == 422
    assert member.post(f"{page}owner/", {"member": str(cast.viewer.pk)})["Location"] == "/datasets/"
    private.refresh_from_db()
    assert (private.owner, private.visibility) == (cast.viewer, "private")
    assert AuditEntry.objects.filter(action="dataset.owner_changed").count() == 2


@pytest.mark.spec("ACC-D8")
def test_an_editor_does_not_hand_over_what_is_another_s(
    cast: Cast, dataset: Dataset, sign_in: SignIn, page: str
) -> None:
    share(cast.actor("builder"), dataset, member_id=cast.member.pk, level="edit")
    assert ">Hand over<" not in text(sign_in("member").get(page + SHARING))
    assert sign_in("member").get(f"{page}owner/").status_code == 403
    assert ">Hand over<" in text(sign_in("admin").get(page + SHARING))


def test_the_list_asks_the_database_as_often_however_many_members(
    cast: Cast, browser: Client, dataset: Dataset, page: str, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        member = make_member(cast.kettle, f"m{number}", "viewer")  # type: ignore[arg-type]
        if number < 20:
            access.put_grant(dataset, user=member.user, level=GrantLevel.READ)
    with django_assert_max_num_queries(14):
        browser.get(page + SHARING)
    with django_assert_max_num_queries(12):
        shown = text(browser.get(f"{page}sharing/new/", headers=PART))
    assert shown.count('type="radio" name="member"') == 20
    assert "17 more: search to narrow them down." in shown
