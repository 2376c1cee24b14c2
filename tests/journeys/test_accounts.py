"""Accounts in a browser: from an empty database to a team, two-factor sign-in, and every page for everybody."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import BrowserContext, Page, expect

from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import invite_member
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = pytest.mark.journey

PASSWORD = "correct horse battery"
OPEN_PAGES = ["/account/login/", "/account/password/reset/", "/account/password/reset/done/", "/account/inactive/"]
# A browser that has loaded one page of a group has the scripts of the others.
PAGES = [
    [
        "/members/",
        "/members/invitations/",
        "/members/invitations/new/",
        "/members/requests/",
        "/keys/",
        "/keys/new/",
    ],
    [
        "/audit/",
        "/me/",
        "/organisation/",
        "/organisation/limits/",
        "/organisation/new/",
        "/organisation/leave/",
    ],
    [
        "/permissions/",
        "/account/2fa/",
        "/account/reauthenticate/",
        "/account/password/change/",
        "/account/sessions/",
        "/account/logout/",
    ],
]


@pytest.mark.every_database
@pytest.mark.spec("PL-1")
def test_from_an_empty_database_to_a_second_member(
    live_server: Any, new_context: Callable[..., BrowserContext], settings: Any
) -> None:
    settings.BASE_URL = live_server.url
    page = new_context(base_url=live_server.url).new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Set up Casebook")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Organisation").fill("Kettle & Co")
    page.get_by_label("Your name").fill("Ada Kettle")
    page.get_by_label("E-mail").fill("ada@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("button", name="Kettle & Co")).to_be_visible()

    page.goto("/members/")
    page.get_by_role("link", name="Invite member").click()
    dialog = page.get_by_role("dialog", name="Invite a member")
    dialog.get_by_role("button", name="Make the link").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_label("E-mail").fill("nia@example.org")
    dialog.get_by_label("Builder: Builds").check()
    dialog.get_by_role("button", name="Make the link").click()
    ready = page.get_by_role("dialog", name="The invitation is ready")
    expect(ready.get_by_role("button", name="Copy")).to_be_visible()
    assert_accessible(page)
    link = ready.locator("#invitation-link").inner_text()
    ready.get_by_role("link", name="Done").click()
    expect(page.get_by_role("cell", name="nia@example.org")).to_be_visible()

    guest = new_context().new_page()
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Join Kettle & Co")).to_be_visible()
    assert_accessible(guest)
    guest.get_by_label("Your name").fill("Nia New")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("button", name="Nia New")).to_be_visible()
    page.goto("/members/")
    expect(page.get_by_role("row", name="Nia New")).to_contain_text("Builder")


@pytest.mark.spec("PL-3")
def test_a_role_is_changed_and_a_member_removed(page: Page) -> None:
    page.goto("/members/")
    page.get_by_role("button", name="Actions for Viewer").click()
    page.get_by_role("link", name="Change role…").locator("visible=true").click()
    dialog = page.get_by_role("dialog", name="Role of Viewer")
    dialog.get_by_label("Operator: Runs").check()
    dialog.get_by_role("button", name="Change role").click()
    expect(page.get_by_role("status")).to_contain_text("Viewer is Operator now.")
    page.get_by_role("button", name="Actions for Viewer").click()
    page.get_by_role("link", name="Remove…").locator("visible=true").click()
    dialog = page.get_by_role("dialog", name="Remove Viewer?")
    assert_accessible(page)
    dialog.get_by_role("button", name="Remove member").click()
    expect(page.get_by_role("row", name="viewer@example.org")).to_have_count(0)


@pytest.mark.spec("PL-7")
def test_a_key_is_shown_once(page: Page) -> None:
    page.goto("/keys/")
    page.get_by_role("link", name="New key").first.click()
    dialog = page.get_by_role("dialog", name="New API key")
    dialog.get_by_label("Name").fill("nightly import")
    dialog.get_by_label("Only what is ticked here").check()
    dialog.get_by_text("Permissions", exact=True).first.click()
    dialog.get_by_label("datasets:view: Read").check()
    assert_accessible(page)
    dialog.get_by_role("button", name="Create key").click()
    ready = page.get_by_role("dialog", name="The key is ready")
    raw = ready.locator("#issued-key").inner_text()
    assert raw.startswith("cbk_")
    ready.get_by_role("link", name="Done").click()
    expect(page.get_by_role("row", name="nightly import")).to_contain_text(raw[:12])
    assert raw not in page.content()


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


@pytest.mark.spec("PL-9")
def test_two_factor_is_switched_on_and_asked_for_at_the_next_sign_in(page: Page) -> None:
    page.goto("/me/")
    page.get_by_role("link", name="Switch on").click()
    page.get_by_role("link", name="Switch on").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("img", name="Image for the authenticator app")).to_be_visible()
    assert page.locator("img.qr").evaluate("image => image.naturalWidth") > 0
    assert_accessible(page)
    secret = page.locator("#totp-secret").inner_text()
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert_accessible(page)
    codes = page.locator("#recovery-codes").inner_text().split()
    page.goto("/account/2fa/")
    assert_accessible(page)

    page.get_by_role("button", name="Owner").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("E-mail").fill("owner@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Kettle & Co")).to_be_visible()


@pytest.mark.spec("PL-53")
def test_the_language_is_changed_from_the_rail(page: Page) -> None:
    page.goto("/keys/")
    page.get_by_role("button", name="Owner").click()
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert page.url.endswith("/keys/")


@pytest.mark.parametrize("paths", PAGES, ids=lambda paths: paths[0])
@pytest.mark.looks
def test_every_page_is_accessible_and_fits(cast: Cast, page: Page, live_server: Any, paths: list[str]) -> None:
    issue_api_key(cast.actor("builder"), name="nightly import", permissions=["datasets:view", "datasets:edit"])
    invite_member(cast.actor("admin"), email="somebody.with.a.long.address@example.org", role="builder")
    for path in paths:
        assert_accessible_everywhere(page, live_server.url + path)


@pytest.mark.looks
def test_every_page_for_visitors_is_accessible_and_fits(cast: Cast, anonymous_page: Page, live_server: Any) -> None:
    for path in OPEN_PAGES:
        assert_accessible_everywhere(anonymous_page, live_server.url + path)
