"""The operators' admin: rows without secrets and people's words; logins change through the operation (ACC-D14)."""

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.test import Client

from accounts.models import AuditEntry
from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import invite_member
from accounts.operations.sharing import share
from core.operators import ReadOnlyAdmin
from datasets.operations.datasets import create_dataset
from tests.cast import Cast

SignIn = Callable[[str], Client]
MODELS = ["organisation", "member", "user", "apikey", "invitation", "auditentry", "personrequest"]


@pytest.fixture
def operator(cast: Cast, sign_in: SignIn) -> Client:
    cast.stranger.user.is_staff = cast.stranger.user.is_superuser = True
    cast.stranger.user.save()
    return sign_in("stranger")


@pytest.mark.spec("ACC-D14")
@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens_and_nothing_is_added_there(operator: Client, model: str) -> None:
    assert operator.get(f"/admin/accounts/{model}/").status_code == 200
    assert operator.get(f"/admin/accounts/{model}/add/").status_code == 403


@pytest.mark.spec("PL-6", "PL-8", "ACC-D14")
def test_the_admin_holds_no_table_that_is_written_past_the_operations_and_the_log() -> None:
    writable = {
        model._meta.label
        for model, view in admin.site._registry.items()
        if not isinstance(view, ReadOnlyAdmin) or type(view).has_add_permission is not ReadOnlyAdmin.has_add_permission
    }
    assert writable == set()
    shown = {model._meta.app_label for model in admin.site._registry}
    assert shown == {"accounts", "agents", "activity", "datasets", "scoring", "evals", "review"}


@pytest.mark.spec("PL-9", "ACC-D14")
@pytest.mark.parametrize("page", ["django_q/schedule/add/", "mfa/authenticator/", "socialaccount/socialapp/"])
def test_packages_bring_no_pages_of_their_own_to_it(operator: Client, page: str) -> None:
    assert operator.get(f"/admin/{page}").status_code == 404


@pytest.mark.spec("PL-8")
def test_an_operators_password_is_changed_where_the_log_is_told(operator: Client) -> None:
    assert operator.get("/admin/password_change/")["Location"] == "/account/password/change/"


@pytest.mark.spec("ACC-D14")
def test_it_shows_who_was_granted_what_on_a_dataset(cast: Cast, operator: Client) -> None:
    dataset = create_dataset(cast.actor("owner"), name="Returns", visibility="private")
    share(cast.actor("owner"), dataset, member_id=cast.viewer.pk, level="edit")
    page = operator.get("/admin/datasets/datasetgrant/").content.decode()
    assert "Returns" in page
    assert "Grant: edit" in page
    assert operator.get("/admin/datasets/datasetgrant/add/").status_code == 403


@pytest.mark.spec("ACC-D14", "PL-7")
def test_no_hash_of_a_key_or_an_invitation_is_shown(cast: Cast, operator: Client) -> None:
    key = issue_api_key(cast.actor("owner"), name="nightly").api_key
    invitation = invite_member(cast.actor("owner"), email="nia@example.org", role="viewer").invitation
    page = operator.get(f"/admin/accounts/apikey/{key.pk}/change/").content.decode()
    assert key.prefix in page
    assert key.key_hash not in page
    page = operator.get(f"/admin/accounts/invitation/{invitation.pk}/change/").content.decode()
    assert "nia@example.org" in page
    assert invitation.token_hash not in page


@pytest.mark.spec("PL-8")
def test_the_log_cannot_be_changed_there(cast: Cast, operator: Client) -> None:
    issue_api_key(cast.actor("owner"), name="nightly")
    entry = AuditEntry.objects.get()
    assert operator.post(f"/admin/accounts/auditentry/{entry.pk}/change/", {"action": "x"}).status_code == 403
    assert operator.post(f"/admin/accounts/auditentry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403


def test_switching_a_login_off_goes_through_the_operation(cast: Cast, operator: Client) -> None:
    operator.post(f"/admin/accounts/user/{cast.both.user.pk}/change/", {"is_staff": ""})
    cast.both.user.refresh_from_db()
    assert not cast.both.user.is_active
    entries = AuditEntry.objects.filter(action="user.login_changed_by_operator")
    assert {entry.organisation for entry in entries} == {cast.kettle, cast.other}
    assert entries[0].details == {"fields": ["is_active"]}


@pytest.mark.spec("BC-47", "ACC-D14")
def test_being_an_operator_gives_nothing_in_the_console(cast: Cast, sign_in: SignIn) -> None:
    cast.viewer.user.is_staff = cast.viewer.user.is_superuser = True
    cast.viewer.user.save()
    assert sign_in("viewer").get("/members/").status_code == 403
    assert sign_in("viewer").get("/audit/").status_code == 403
