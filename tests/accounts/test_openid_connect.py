"""Signing in through OpenID Connect, from the button to the page, with a real issuer and a real console (PL-9)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from tests.accounts.issuer import Issuer, running_issuer
from tests.cast import make_cast
from tests.console import running_console

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.spec("PL-9")]


@contextmanager
def browser_and_issuer(**claims: Any) -> Iterator[tuple[httpx2.Client, Issuer]]:
    """A browser at a console that knows the issuer, which says `claims` of whoever comes."""
    make_cast()
    with running_issuer(**claims) as issuer:
        known = {
            "OIDC_SERVER_URL": issuer.address,
            "OIDC_CLIENT_ID": issuer.client_id,
            "OIDC_CLIENT_SECRET": issuer.client_secret,
            "OIDC_NAME": "Kettle login",
            "DEBUG": "true",  # static files by their plain names
        }
        with running_console(**known) as console, httpx2.Client(base_url=console.address, timeout=30) as browser:
            yield browser, issuer


def signed_in_through(browser: httpx2.Client, issuer: Issuer) -> httpx2.Response:
    """What the console answers when the browser comes back from the issuer."""
    page = browser.get("/account/login/")
    assert "Kettle login" in page.text
    token = page.text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    sent = browser.post("/account/oidc/sso/login/", data={"csrfmiddlewaretoken": token})
    assert sent.status_code == 302
    assert sent.headers["location"].startswith(f"{issuer.address}/authorize?")
    back = issuer.authorize(sent.headers["location"])
    assert back.startswith(str(browser.base_url))
    return browser.get(back)


def test_a_user_with_a_verified_address_is_signed_in_and_again_by_the_same_subject() -> None:
    with browser_and_issuer(sub="u-1", email="builder@example.org", email_verified=True) as (browser, issuer):
        for _time in range(2):
            assert signed_in_through(browser, issuer).status_code == 302
            me = browser.get("/me/")
            assert me.status_code == 200
            assert "builder@example.org" in me.text
            browser.cookies.clear()


REFUSED: dict[str, dict[str, Any]] = {
    "unverified": {"sub": "u-2", "email": "builder@example.org", "email_verified": False},
    "unknown": {"sub": "u-3", "email": "nobody@example.org", "email_verified": True},
    "without address": {"sub": "u-4"},
}


def test_who_is_not_known_by_a_verified_address_and_a_state_of_others_get_no_session() -> None:
    with browser_and_issuer() as (browser, issuer):
        for name, claims in REFUSED.items():
            issuer.claims = claims
            refused = signed_in_through(browser, issuer)
            told = browser.get(refused.headers["location"]) if refused.is_redirect else refused
            assert told.status_code in (200, 403), name
            assert is_nobody(browser), name
        issuer.codes["stolen"] = {"client_id": issuer.client_id}
        assert browser.get("/account/oidc/sso/login/callback/?code=stolen&state=made-up").status_code < 500
        assert is_nobody(browser)


def is_nobody(browser: httpx2.Client) -> bool:
    return browser.get("/me/").headers["location"].startswith("/account/login/")
