"""The console pages of accounts: who gets them, what they hold, how many queries they make."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import audit
from accounts.models import ApiKey, AuditEntry, Invitation, Member, Organisation, PersonRequest, User
from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import invite_member
from accounts.operations.members import remove_member
from accounts.permissions import Role
from tests.cast import Cast, make_member

SignIn = Callable[[str], Client]

MANAGED = ["/members/", "/members/invitations/", "/members/invitations/new/", "/members/requests/", "/audit/"]
MANAGED += ["/organisation/"]
OPEN_TO_MEMBERS = ["/me/", "/keys/", "/keys/new/", "/permissions/", "/organisation/leave/", "/account/2fa/"]
OPEN_TO_MEMBERS += ["/account/password/change/", "/account/sessions/"]


@pytest.mark.parametrize("path", [*MANAGED, *OPEN_TO_MEMBERS, "/organisation/new/"])
def test_an_owner_gets_every_page_in_few_queries(
    cast: Cast, sign_in: SignIn, path: str, django_assert_max_num_queries: Any
) -> None:
    client = sign_in("owner")
    with django_assert_max_num_queries(25):
        assert client.get(path).status_code == 200


@pytest.mark.spec("PL-4")
@pytest.mark.parametrize("role", [role.value for role in Role])
@pytest.mark.parametrize("path", MANAGED)
def test_pages_that_manage_are_for_owners_and_admins(sign_in: SignIn, path: str, role: str) -> None:
    expected = 200 if role in ("owner", "admin") else 403
    assert sign_in(role).get(path).status_code == expected


@pytest.mark.parametrize("path", OPEN_TO_MEMBERS)
def test_a_viewer_gets_what_is_their_own(sign_in: SignIn, path: str) -> None:
    assert sign_in("viewer").get(path).status_code == 200


def test_the_rail_offers_no_entry_that_a_member_may_not_use(sign_in: SignIn) -> None:
    mine, theirs = sign_in("viewer").get("/me/"), sign_in("owner").get("/me/")
    for path in ("/members/", "/audit/"):
        assert f'href="{path}"' not in mine.content.decode()
        assert f'href="{path}"' in theirs.content.decode()


@pytest.mark.parametrize("path", [*MANAGED, *OPEN_TO_MEMBERS, "/"])
def test_a_visitor_goes_to_the_sign_in_page(cast: Cast, path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 302
    assert response["Location"].startswith("/account/login/?next=")


def test_a_visitor_s_part_takes_the_whole_page_to_the_sign_in(cast: Cast) -> None:
    response = Client().get("/members/", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (401, "/account/login/")


@pytest.mark.spec("ACC-D9", "BC-46")
@pytest.mark.parametrize("act", ["role", "remove", "erase", "export"])
@pytest.mark.parametrize("method", ["get", "post", "head", "put", "delete", "options"])
def test_strangers_former_members_and_nobody_look_the_same(cast: Cast, sign_in: SignIn, act: str, method: str) -> None:
    remove_member(cast.actor("owner"), member_id=cast.viewer.pk)
    client = sign_in("admin")
    answers = []
    for member_id in (cast.stranger.pk, cast.viewer.pk, uuid4()):
        response = getattr(client, method)(f"/members/{member_id}/{act}/")
        headers = {name: value for name, value in response.items() if name != "X-Request-Id"}
        answers.append((response.status_code, response.content, headers))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] in (404, 405)
    assert Member.objects.get(pk=cast.stranger.pk).left_at is None


@pytest.mark.spec("ACC-D9")
def test_keys_and_invitations_of_others_look_like_none(cast: Cast, sign_in: SignIn) -> None:
    key = issue_api_key(cast.actor("stranger"), name="k").api_key
    invitation = invite_member(cast.actor("stranger"), email="a@example.org", role="viewer").invitation
    client = sign_in("owner")
    for path, other in (
        ("/keys/{}/revoke/", key.pk),
        ("/members/invitations/{}/revoke/", invitation.pk),
        ("/members/requests/{}/file/", uuid4()),
    ):
        method = client.get if path.endswith("file/") else client.post
        found, none = method(path.format(other)), method(path.format(uuid4()))
        assert (found.status_code, found.content) == (none.status_code, none.content)
        assert found.status_code == 404
    assert ApiKey.objects.usable().filter(pk=key.pk).exists()


def test_a_role_is_changed_in_the_dialog(cast: Cast, sign_in: SignIn) -> None:
    client, path = sign_in("admin"), f"/members/{cast.member.pk}/role/"
    part = client.get(path, headers={"HX-Request": "true"})
    assert b'class="dialog-head"' in part.content
    assert b"<html" not in part.content
    assert b'value="owner"' not in part.content
    assert part["Vary"].find("HX-Request") >= 0
    response = client.post(path, {"role": "builder"}, headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (204, "/members/")
    cast.member.refresh_from_db()
    assert cast.member.role == "builder"


def test_the_last_owner_is_told_why_in_the_form(cast: Cast, sign_in: SignIn) -> None:
    response = sign_in("owner").post(f"/members/{cast.owner.pk}/role/", {"role": "viewer"})
    assert response.status_code == 422
    assert b"needs an Owner" in response.content


def test_removing_says_the_numbers_first(cast: Cast, sign_in: SignIn) -> None:
    issue_api_key(cast.actor("builder"), name="k")
    client, path = sign_in("admin"), f"/members/{cast.builder.pk}/remove/"
    assert b"1 API key stops working" in client.get(path).content
    assert client.post(path).status_code == 302
    assert b"was removed" in client.get("/members/").content
    assert b"builder@example.org" not in client.get("/members/").content


@pytest.mark.spec("PL-2", "BC-47")
def test_a_removed_member_s_open_browser_is_outside_at_once(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("builder")
    assert client.get("/me/").status_code == 200
    remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    response = client.get("/me/")
    assert response.status_code == 403
    assert b"You belong to no organisation" in response.content


@pytest.mark.spec("PL-2")
def test_what_was_sent_to_a_lost_organisation_lands_in_no_other(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("both")
    remove_member(cast.actor("owner"), member_id=cast.both.pk)
    response = client.post("/organisation/", {"name": "Overwritten"})
    assert response.status_code == 409
    assert not Organisation.objects.filter(name="Overwritten").exists()
    assert client.post("/organisation/", {"name": "Meant"}).status_code == 302


@pytest.mark.spec("PL-2")
def test_switching_uses_another_of_one_s_own_organisations_only(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("both")
    assert client.post("/organisation/switch/", {"organisation": str(cast.other.pk)}).status_code == 302
    assert b"Other Ltd" in client.get("/me/").content
    foreign = Organisation.objects.create(name="Foreign")
    for wanted in (str(foreign.pk), str(uuid4()), "nonsense", ""):
        assert client.post("/organisation/switch/", {"organisation": wanted}).status_code == 404


@pytest.mark.spec("PL-2")
def test_an_owner_makes_another_organisation_and_is_in_it(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("owner")
    client.post("/organisation/new/", {"name": "Second"})
    assert b"Second" in client.get("/me/").content
    assert sign_in("admin").get("/organisation/new/").status_code == 403
    assert client.post("/organisation/new/", {"name": " "}).status_code == 422


def test_the_organisation_is_renamed_and_a_wrong_name_is_shown(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("admin")
    assert client.post("/organisation/", {"name": "Kettle"}).status_code == 302
    assert client.post("/organisation/", {"name": "x" * 121}).status_code == 422


def test_leaving_is_asked_and_done(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("viewer")
    assert b"Leave Kettle" in client.get("/organisation/leave/").content
    client.post("/organisation/leave/")
    cast.viewer.refresh_from_db()
    assert cast.viewer.left_at


@pytest.mark.spec("PL-1")
def test_an_invitation_shows_its_link_once(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("admin")
    response = client.post("/members/invitations/new/", {"email": "nia@example.org", "role": "builder"})
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    link = response.content.decode().partition('id="invitation-link">')[2].partition("<")[0]
    assert link.startswith("http://localhost:8000/invitations/")
    token = link.rstrip("/").rpartition("/")[2]
    listed = client.get("/members/invitations/").content.decode()
    assert "nia@example.org" in listed
    assert token not in listed


def test_a_wrong_invitation_is_shown_with_its_field(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("admin")
    for email, role in (("builder@example.org", "viewer"), ("nobody", "viewer"), ("nia@example.org", "owner")):
        response = client.post("/members/invitations/new/", {"email": email, "role": role})
        assert response.status_code == 422
        assert b'aria-invalid="true"' in response.content or b"field-error" in response.content
    assert not Invitation.objects.exists()


def test_an_invitation_is_withdrawn_from_the_list(cast: Cast, sign_in: SignIn) -> None:
    invitation = invite_member(cast.actor("admin"), email="nia@example.org", role="viewer").invitation
    client = sign_in("admin")
    assert client.post(f"/members/invitations/{invitation.pk}/revoke/").status_code == 302
    assert b"Withdrawn" in client.get("/members/invitations/").content


@pytest.mark.spec("PL-1")
def test_the_page_behind_the_link_makes_a_login_and_signs_in(cast: Cast) -> None:
    token = invite_member(cast.actor("admin"), email="nia@example.org", role="builder").token
    client, path = Client(), f"/invitations/{token}/"
    page = client.get(path)
    assert b"nia@example.org" in page.content
    assert page["Referrer-Policy"] == "same-origin"
    assert client.post(path, {"name": "Nia", "password": "short"}).status_code == 422
    assert client.post(path, {"name": "Nia", "password": "correct horse battery"}).status_code == 302
    assert b"Kettle" in client.get("/me/").content


@pytest.mark.spec("PL-1")
def test_who_has_a_login_signs_in_and_accepts(cast: Cast, sign_in: SignIn) -> None:
    token = invite_member(cast.actor("admin"), email="stranger@example.org", role="builder").token
    path = f"/invitations/{token}/"
    assert b"sign in to accept" in Client().get(path).content
    assert b"sign in to accept" in Client().post(path, {"name": "Eve", "password": "a new password 1"}).content
    wrong = sign_in("viewer")
    assert b"You are signed in as viewer@example.org" in wrong.get(path).content
    assert wrong.post(path).status_code == 409
    right = sign_in("stranger")
    assert right.post(path).status_code == 302
    assert b"Kettle" in right.get("/me/").content


def test_a_dead_link_says_why_and_an_unknown_one_nothing(cast: Cast) -> None:
    issued = invite_member(cast.actor("admin"), email="nia@example.org", role="builder")
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    response = Client().get(f"/invitations/{issued.token}/")
    assert response.status_code == 409
    assert b"has expired" in response.content
    assert Client().get("/invitations/unknown/").status_code == 404


@pytest.mark.spec("PL-7")
def test_a_key_is_made_shown_once_and_revoked(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("member")
    sent = {"name": "nightly", "days": "30", "restricted": "yes", "permissions": ["datasets:view"]}
    response = client.post("/keys/new/", sent)
    raw = response.content.decode().partition('id="issued-key">')[2].partition("<")[0]
    assert raw.startswith("cbk_")
    key = ApiKey.objects.get()
    assert key.permissions == ["datasets:view"]
    assert key.expires_at
    assert raw not in client.get("/keys/").content.decode()
    assert key.prefix in client.get("/keys/").content.decode()
    assert client.get(f"/keys/{key.pk}/revoke/").status_code == 200
    client.post(f"/keys/{key.pk}/revoke/")
    assert not ApiKey.objects.usable().exists()


def test_a_restricted_key_without_permissions_is_refused_in_the_form(sign_in: SignIn) -> None:
    response = sign_in("member").post("/keys/new/", {"name": "k", "days": "", "restricted": "yes"})
    assert response.status_code == 422
    assert not ApiKey.objects.exists()


def test_a_viewer_sees_no_key_of_others(cast: Cast, sign_in: SignIn) -> None:
    issue_api_key(cast.actor("owner"), name="secret project")
    assert b"secret project" not in sign_in("viewer").get("/keys/").content
    assert b"secret project" in sign_in("admin").get("/keys/").content


@pytest.mark.spec("PL-53")
def test_the_chosen_language_wins_over_the_browser_s(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("viewer")
    assert client.get("/me/", headers={"Accept-Language": "es"})["Content-Language"] == "es"
    sent = {"name": "Vi", "language": "pl", "theme": "dark", "comfortable_rows": "on"}
    assert client.post("/me/", sent).status_code == 302
    page = client.get("/me/", headers={"Accept-Language": "es"})
    assert page["Content-Language"] == "pl"
    assert b'data-theme="dark"' in page.content
    assert b'data-rows="comfortable"' in page.content


def test_wrong_settings_are_shown_and_nothing_is_saved(cast: Cast, sign_in: SignIn) -> None:
    response = sign_in("viewer").post("/me/", {"name": "", "language": "xx", "theme": "pink"})
    assert response.status_code == 422
    cast.viewer.user.refresh_from_db()
    assert cast.viewer.user.name == "Viewer"


def test_the_menu_s_theme_comes_back_to_where_one_was_and_nowhere_else(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("viewer")
    assert client.post("/me/preferences/", {"theme": "dark", "next": "/keys/"})["Location"] == "/keys/"
    assert client.post("/me/preferences/", {"language": "es", "next": "https://evil.example/"})["Location"] == "/me/"
    cast.viewer.user.refresh_from_db()
    assert (cast.viewer.user.theme, cast.viewer.user.language) == ("dark", "es")
    assert client.post("/me/preferences/", {"theme": "pink"}).status_code == 422
    assert AuditEntry.objects.filter(action="user.preferences_changed").first().details == {"fields": ["theme"]}  # type: ignore[union-attr]


@pytest.mark.spec("PL-8")
def test_the_log_is_filtered_by_each_filter(cast: Cast, sign_in: SignIn) -> None:
    audit.record(cast.actor("builder"), "dataset.created", cast.kettle)
    audit.record(cast.actor("stranger"), "dataset.created", cast.other)
    audit.record(cast.actor("owner"), "dataset.deleted", cast.kettle, cases=3)
    client = sign_in("admin")

    def actions(**query: Any) -> list[str]:
        return [entry.action for entry in client.get("/audit/", query).context["entries"]]

    assert actions() == ["dataset.deleted", "dataset.created"]
    assert actions(action="dataset.created") == ["dataset.created"]
    assert actions(member=str(cast.owner.pk)) == ["dataset.deleted"]
    assert actions(object=str(cast.kettle.pk)) == ["dataset.deleted", "dataset.created"]
    assert actions(object="kettle") == ["dataset.deleted", "dataset.created"]
    assert actions(object="nothing") == []
    today = timezone.localdate()
    assert len(actions(since=today.isoformat(), until=today.isoformat())) == 2
    assert actions(since=(today + timedelta(days=1)).isoformat()) == []
    assert actions(until=(today - timedelta(days=1)).isoformat()) == []
    assert len(actions(member=str(cast.stranger.pk), action="nonsense", since="never")) == 2


@pytest.mark.spec("PL-8")
def test_the_log_is_paged_by_keyset(cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any) -> None:
    audit.record_each(cast.actor("owner"), "dataset.created", [cast.kettle] * 120)
    client = sign_in("admin")
    with django_assert_max_num_queries(25):
        first = client.get("/audit/")
    second = client.get("/audit/", {"after": first.context["page"].next})
    third = client.get("/audit/", {"after": second.context["page"].next})
    seen = [entry.pk for page in (first, second, third) for entry in page.context["entries"]]
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == 120
    assert third.context["page"].next is None
    assert client.get("/audit/", {"after": "nonsense"}).status_code == 422


@pytest.mark.spec("PL-8")
def test_the_export_is_csv_without_formulas_and_is_itself_logged(cast: Cast, sign_in: SignIn) -> None:
    formula = Organisation(name='=HYPERLINK("https://evil.example")')
    audit.record(cast.actor("builder"), "dataset.created", formula, cases=2)
    audit.record(cast.actor("stranger"), "dataset.created", cast.other)
    response = sign_in("admin").post("/audit/export/", {"action": "dataset.created"})
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(b"".join(response).decode())))  # type: ignore[arg-type]
    assert rows[0] == [
        "at", "member", "api_key", "action", "object_type", "object_id", "object", "address", "details",
    ]  # fmt: skip
    assert len(rows) == 2
    assert rows[1][6] == '\'=HYPERLINK("https://evil.example")'
    assert rows[1][8] == '{"cases": 2}'
    logged = AuditEntry.objects.get(action="audit.exported")
    assert (logged.member, logged.details) == (cast.admin, {"filters": ["action"]})


def test_the_export_is_for_who_may_read_the_log(sign_in: SignIn) -> None:
    assert sign_in("builder").post("/audit/export/").status_code == 403
    assert not AuditEntry.objects.exists()


def test_names_in_the_log_follow_the_person(cast: Cast, sign_in: SignIn) -> None:
    audit.record(cast.actor("owner"), "member.role_changed", cast.builder)
    User.objects.filter(pk=cast.builder.user_id).update(name="Bea Renamed")
    assert b"Bea Renamed" in sign_in("admin").get("/audit/").content


@pytest.mark.spec("PL-4")
def test_the_reference_is_the_table_itself(sign_in: SignIn) -> None:
    page = sign_in("viewer").get("/permissions/")
    assert len(page.context["table"]) == 16
    assert [str(label) for _scope, label in page.context["table"][1].cells] == ["all", "all", "shared", "–", "own", "–"]


def test_the_member_list_makes_as_many_queries_for_many(
    cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        make_member(cast.kettle, f"person{number}", Role.VIEWER)
    client = sign_in("owner")
    with django_assert_max_num_queries(12):
        client.get("/members/")


@pytest.mark.spec("ACC-D36", "ACC-D43")
def test_erasing_and_exporting_from_the_members_page(
    cast: Cast, sign_in: SignIn, django_capture_on_commit_callbacks: Any
) -> None:
    client = sign_in("owner")
    assert b"cannot be undone" in client.get(f"/members/{cast.viewer.pk}/erase/").content
    for typed in ("", "Somebody Else"):
        assert client.post(f"/members/{cast.viewer.pk}/erase/", {"name": typed}).status_code == 422
        assert PersonRequest.objects.count() == 0
    answered = client.post(f"/members/{cast.viewer.pk}/erase/", {"name": "Viewer"})
    assert answered["Location"] == "/members/requests/"
    assert client.post(f"/members/{cast.member.pk}/export/")["Location"] == "/members/requests/"
    assert client.post("/me/export/")["Location"] == "/me/"
    listed = client.get("/members/requests/").content
    assert listed.count(b"Running") == 3


def test_an_address_of_ours_needs_the_right_method(sign_in: SignIn) -> None:
    client = sign_in("owner")
    for path in ("/audit/export/", "/organisation/switch/", "/me/preferences/", "/me/export/"):
        assert client.get(path).status_code == 405


@pytest.mark.spec("PL-2")
def test_a_call_of_the_api_by_a_session_meant_for_a_lost_organisation_has_no_actor(cast: Cast, sign_in: SignIn) -> None:
    client = sign_in("both")
    remove_member(cast.actor("owner"), member_id=cast.both.pk)
    response = client.post("/api/v1/datasets", {"name": "Meant for another"}, content_type="application/json")
    assert response.status_code == 401
