"""Signing in: limits, rotation, two-factor, OpenID Connect, the admin's door, the log of it (PL-8, PL-9)."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.socialaccount.adapter import get_adapter as get_social_adapter
from allauth.socialaccount.models import EmailAddress, SocialAccount, SocialLogin  # type: ignore[attr-defined]
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory

from accounts.models import AuditEntry, User
from tests.cast import Cast

SignIn = Callable[[str], Client]
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _no_limits_from_other_tests(db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def sign_in_with(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post("/account/login/", {"login": email, "password": password})


@pytest.mark.spec("PL-8", "PL-9")
def test_signing_in_rotates_the_session_and_is_logged(cast: Cast) -> None:
    client = Client()
    client.get("/account/login/")
    client.session["x"] = 1
    before = client.session.session_key
    assert sign_in_with(client, "Builder@Example.org").status_code == 302
    assert client.session.session_key != before
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.member, entry.address) == ("user.signed_in", cast.builder, "127.0.0.1")


@pytest.mark.spec("PL-8")
def test_failures_are_counted_for_the_account_without_the_password(cast: Cast) -> None:
    client = Client()
    for _attempt in range(2):
        assert sign_in_with(client, "builder@example.org", "wrong-secret").status_code == 200
    sign_in_with(client, "nobody@example.org", "wrong-secret")
    counts = AuditEntry.objects.filter(action="user.sign_in_failed").order_by("pk").values_list("details", flat=True)
    assert list(counts) == [{"failures": 1}, {"failures": 2}]
    assert "wrong-secret" not in str(AuditEntry.objects.values())
    sign_in_with(client, "builder@example.org")
    sign_in_with(Client(), "builder@example.org", "wrong-secret")
    assert AuditEntry.objects.order_by("pk").last().details == {"failures": 1}  # type: ignore[union-attr]


@pytest.mark.spec("PL-9")
def test_the_sixth_failure_of_one_account_is_a_429_that_says_when(cast: Cast) -> None:
    for number in range(5):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        assert sign_in_with(client, "builder@example.org", "wrong").status_code == 200
    response = sign_in_with(Client(REMOTE_ADDR="192.0.2.99"), "builder@example.org")
    assert response.status_code == 429
    assert response["Retry-After"] == "300"
    assert b"Too many" in response.content
    assert sign_in_with(Client(REMOTE_ADDR="192.0.2.99"), "viewer@example.org").status_code == 302


@pytest.mark.spec("PL-9")
def test_the_eleventh_failure_from_one_address_is_a_429(cast: Cast) -> None:
    client = Client()
    for number in range(10):
        assert sign_in_with(client, f"nobody{number}@example.org", "wrong").status_code == 200
    assert sign_in_with(client, "viewer@example.org").status_code == 429


@pytest.mark.spec("PL-9")
def test_too_many_sign_ins_from_one_address_show_the_friendly_page(cast: Cast) -> None:
    response = None
    for _number in range(31):
        response = Client().post("/account/login/", {"login": "", "password": ""})
    assert response is not None
    assert response.status_code == 429
    assert response["Retry-After"] == "60"


@pytest.mark.spec("PL-9")
def test_a_post_without_the_token_is_refused(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    assert sign_in_with(client, "builder@example.org").status_code == 403


@pytest.mark.spec("PL-9")
def test_cookies_are_http_only_and_same_site(cast: Cast) -> None:
    client = Client()
    client.get("/account/login/")
    sign_in_with(client, "builder@example.org")
    for name in ("sessionid", "csrftoken"):
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"


@pytest.mark.spec("PL-1")
@pytest.mark.parametrize("path", ["signup/", "email/", "confirm-email/", "social/signup/", "2fa/webauthn/"])
def test_what_casebook_does_not_offer_has_no_address(cast: Cast, path: str) -> None:
    assert Client().get(f"/account/{path}").status_code == 404


@pytest.mark.spec("PL-8")
def test_a_changed_password_ends_other_sessions_and_is_logged(cast: Cast, sign_in: SignIn) -> None:
    client, other = sign_in("viewer"), sign_in("viewer")
    sent = {"oldpassword": PASSWORD, "password1": "another good one 1", "password2": "another good one 1"}
    assert client.post("/account/password/change/", sent).status_code == 302
    assert client.get("/me/").status_code == 200
    assert other.get("/me/").status_code == 302
    assert AuditEntry.objects.get().action == "user.password_changed"


@pytest.mark.spec("PL-9")
def test_a_weak_password_is_refused(sign_in: SignIn) -> None:
    sent = {"oldpassword": PASSWORD, "password1": "12345678", "password2": "12345678"}
    assert b"too common" in sign_in("viewer").post("/account/password/change/", sent).content


def test_a_lost_password_is_mended_by_mail_where_mail_is_set_up(cast: Cast, settings: Any) -> None:
    settings.EMAIL_IS_SET_UP = True
    client = Client()
    assert client.post("/account/password/reset/", {"email": "viewer@example.org"}).status_code == 302
    link = re.search(r"http://\S+(/account/password/reset/key/\S+)", str(mail.outbox[0].body))
    assert link
    form = client.get(link[1], follow=True)
    response = client.post(
        form.redirect_chain[-1][0], {"password1": "another good one 1", "password2": "another good one 1"}
    )
    assert response.status_code == 302
    assert sign_in_with(Client(), "viewer@example.org", "another good one 1").status_code == 302
    assert AuditEntry.objects.filter(action="user.password_reset").exists()


@pytest.mark.spec("PL-9")
def test_a_mailed_link_leads_to_our_address_whatever_host_the_request_named(cast: Cast, settings: Any) -> None:
    settings.EMAIL_IS_SET_UP = True
    for host in ("testserver:6666", "127.0.0.1"):
        Client(headers={"host": host}).post("/account/password/reset/", {"email": "viewer@example.org"})
    links = [re.findall(r"https?://[^/\s]+", str(sent.body)) for sent in mail.outbox]
    assert links == [["http://localhost:8000"]] * 2


@pytest.mark.spec("PL-52")
def test_without_mail_no_link_is_made_and_an_unknown_address_looks_the_same(cast: Cast) -> None:
    answers = [
        Client().post("/account/password/reset/", {"email": email})
        for email in ("viewer@example.org", "nobody@example.org")
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert not mail.outbox
    assert b"Mail is not set up here" in Client().get("/account/password/reset/").content


def confirm(client: Client) -> None:
    """Enter the password again, as asked before what protects the login."""
    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


@pytest.mark.spec("PL-8", "PL-9")
def test_two_factor_is_switched_on_and_asked_for(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    client = Client()
    sign_in_with(client, "builder@example.org")
    assert client.get("/account/2fa/totp/activate/")["Location"].startswith("/account/reauthenticate/")
    confirm(client)
    page = client.get("/account/2fa/totp/activate/")
    assert b"data:image/svg+xml;base64," in page.content
    secret = page.context["form"].secret
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/account/2fa/totp/activate/", {"code": code_of(secret)}).status_code == 302
    assert client.get("/account/2fa/recovery-codes/").status_code == 200
    assert AuditEntry.objects.filter(action="user.two_factor_on").count() == 1
    assert secret not in str(User.objects.get(pk=cast.builder.user_id).authenticator_set.values())  # type: ignore[attr-defined]

    again = Client()
    assert sign_in_with(again, "builder@example.org")["Location"].startswith("/account/2fa/authenticate/")
    assert again.get("/me/").status_code == 302
    assert again.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    codes = client.get("/account/2fa/recovery-codes/").context["unused_codes"]
    assert again.post("/account/2fa/authenticate/", {"code": codes[0]}).status_code == 302
    assert again.get("/me/").status_code == 200
    assert client.post("/account/2fa/totp/deactivate/").status_code == 302
    assert AuditEntry.objects.filter(action="user.two_factor_off").count() == 1


@pytest.mark.spec("PL-9")
def test_second_factor_cannot_be_guessed_without_limit(cast: Cast) -> None:
    TOTP.activate(cast.builder.user, "A" * 32)
    client = Client()
    sign_in_with(client, "builder@example.org")
    answers = [client.post("/account/2fa/authenticate/", {"code": f"{n:06}"}).content for n in range(7)]
    assert b"Too many" in answers[-1]


def test_the_list_of_sessions_ends_the_others(cast: Cast) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        sign_in_with(client, "viewer@example.org")
    assert here.get("/account/sessions/").context["session_count"] == 2
    here.post("/account/sessions/")
    assert there.get("/me/").status_code == 302
    assert here.get("/me/").status_code == 200


def oidc_login(email: str, *, verified: bool) -> SocialLogin:
    account = SocialAccount(provider="sso", uid="1")
    addresses = [EmailAddress(email=email, verified=verified, primary=True)]
    return SocialLogin(account=account, user=User(email=email), email_addresses=addresses)


@pytest.mark.spec("PL-9")
def test_openid_connect_finds_users_by_verified_addresses_only(cast: Cast, monkeypatch: Any) -> None:
    adapter = get_social_adapter(RequestFactory().get("/"))
    monkeypatch.setattr(adapter, "can_authenticate_by_email", lambda _login, _email: True)
    found = adapter.authenticate_by_email(oidc_login("builder@example.org", verified=True))
    assert found
    assert found[0] == cast.builder.user
    assert adapter.authenticate_by_email(oidc_login("builder@example.org", verified=False)) is None
    assert adapter.authenticate_by_email(oidc_login("nobody@example.org", verified=True)) is None


@pytest.mark.spec("PL-1")
def test_nobody_signs_up(cast: Cast) -> None:
    request = RequestFactory().get("/")
    assert get_adapter(request).is_open_for_signup(request) is False
    login = oidc_login("nobody@example.org", verified=True)
    assert get_social_adapter(request).is_open_for_signup(request, login) is False


@pytest.mark.spec("PL-9", "ACC-D14")
def test_the_admin_s_door_is_the_same_sign_in(cast: Cast, sign_in: SignIn) -> None:
    assert Client().get("/admin/login/")["Location"].startswith("/account/login/")
    assert sign_in("owner").get("/admin/").status_code in (302, 403)
    cast.owner.user.is_staff = cast.owner.user.is_superuser = True
    cast.owner.user.save()
    assert sign_in("owner").get("/admin/").status_code == 200


@pytest.mark.spec("PL-1")
def test_an_empty_database_sends_every_page_to_the_set_up(db: None) -> None:
    for path in ("/", "/members/", "/account/login/", "/admin/"):
        response = Client().get(path)
        assert (response.status_code, response["Location"]) == (302, "/setup/"), path
    assert Client().get("/setup/").status_code == 200
    assert Client().get("/healthz").status_code == 200


@pytest.mark.spec("PL-1")
def test_the_set_up_page_makes_the_owner_signs_in_and_is_gone(db: None) -> None:
    client = Client()
    sent = {"organisation_name": "Kettle", "name": "Ada", "email": "ada@example.org", "password": "short"}
    assert client.post("/setup/", sent).status_code == 422
    assert client.post("/setup/", sent | {"password": PASSWORD})["Location"] == "/"
    assert b"Ada" in client.get("/me/").content
    assert client.get("/setup/").status_code == 404
    assert Client().get("/setup/").status_code == 404
