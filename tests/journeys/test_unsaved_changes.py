"""Leaving with an unsaved change, in every way there is (DS-78 to DS-93, DS-D28 to DS-D32), on the gallery's form."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Error, Page, expect

pytestmark = [pytest.mark.journey, pytest.mark.urls("tests.gallery_urls")]
TYPED = "May I return it after a year?"
COPIES = "Object.keys(localStorage).filter((key) => key.startsWith('casebook.unsaved.')).length"


def wait_until(page: Page, condition: str) -> None:
    """Playwright's own `wait_for_function` evaluates text, which the Content-Security-Policy forbids."""
    for _ in range(100):
        try:
            if page.evaluate(condition):
                return
        except Error:  # the page is just being left
            pass
        page.wait_for_timeout(50)
    raise AssertionError(f"not within five seconds: {condition}")


@pytest.fixture
def edited(page: Page) -> Page:
    """The gallery, come to from another page, with a change in the case form."""
    page.goto("/ui/elsewhere")
    page.goto("/ui/")
    edit(page)
    return page


def edit(page: Page, text: str = TYPED) -> None:
    page.locator("#case_question").fill(text)
    expect(page.locator("#case-form")).to_have_attribute("data-dirty", "")


def answer(page: Page, word: str) -> None:
    dialog = page.get_by_role("dialog", name="Leave with an unsaved change?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=word, exact=True).click()
    expect(dialog).to_be_hidden()


def follow_link(page: Page) -> None:
    page.get_by_role("link", name="this", exact=True).first.click()


def switch_tab(page: Page) -> None:
    page.get_by_role("navigation", name="Dataset").get_by_role("link", name="Runs").click()


def switch_version(page: Page) -> None:
    page.get_by_label("Version", exact=True).select_option("?version=11")


def switch_organisation(page: Page) -> None:
    page.get_by_role("button", name="Kettle & Co").click()
    page.locator("#organisation-menu form button").first.click()


def sign_out(page: Page) -> None:
    page.locator("[popovertarget=member-menu]").click()
    page.get_by_role("button", name="Sign out").click()


def go_back(page: Page) -> None:
    page.evaluate("history.back()")


def submit_another_form(page: Page) -> None:
    page.locator("#forms").get_by_role("button", name="Create dataset").evaluate(
        "(button) => { button.form.noValidate = true; button.click(); }"
    )


def swap_by_htmx(page: Page) -> None:
    page.evaluate(
        """() => { const link = document.createElement('a'); link.id = 'swap'; link.href = '/ui/demonstration';
        link.setAttribute('hx-get', '/ui/elsewhere'); link.setAttribute('hx-target', '#unsaved');
        link.textContent = 'swap';
        document.querySelector('#content').prepend(link); htmx.process(link); link.click(); }"""
    )


def follow_boosted_link(page: Page) -> None:
    page.evaluate(
        """() => { const box = document.createElement('div'); box.setAttribute('hx-boost', 'true');
        box.innerHTML = '<a href="/ui/elsewhere">boosted</a>';
        document.querySelector('#content').prepend(box); htmx.process(box); box.firstChild.click(); }"""
    )


WAYS = [
    follow_link, switch_tab, switch_version, switch_organisation, sign_out, go_back, submit_another_form, swap_by_htmx,
    follow_boosted_link,
]  # fmt: skip


@pytest.mark.spec("DS-80", "DS-81", "DS-D32")
@pytest.mark.parametrize("leave", WAYS)
def test_stay_stays_and_keeps_what_was_typed(edited: Page, leave: Callable[[Page], None]) -> None:
    before = edited.url
    leave(edited)
    answer(edited, "Stay")
    edited.wait_for_timeout(150)
    assert edited.url == before
    expect(edited.locator("#case_question")).to_have_value(TYPED)
    expect(edited.locator("#case-form")).to_have_attribute("data-dirty", "")


@pytest.mark.spec("DS-80", "DS-81", "DS-90", "DS-D32")
@pytest.mark.parametrize("leave", WAYS)
def test_discard_leaves_and_removes_the_copy(edited: Page, leave: Callable[[Page], None]) -> None:
    wait_until(edited, f"{COPIES} === 1")
    leave(edited)
    answer(edited, "Discard")
    wait_until(edited, "!document.querySelector('#case_question') || location.search")
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-80", "DS-89")
def test_save_saves_and_leaves(edited: Page) -> None:
    with edited.expect_response("**/ui/demonstration") as saved:
        follow_link(edited)
        answer(edited, "Save")
    assert saved.value.status == 204
    edited.wait_for_url("**/ui/elsewhere")
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-D30")
def test_a_save_that_fails_stays_and_says_why(edited: Page) -> None:
    edit(edited, "   ")
    follow_link(edited)
    answer(edited, "Save")
    expect(edited.locator("#case-form")).to_contain_text("This field is required.")
    assert edited.url.endswith("/ui/")
    follow_link(edited)
    expect(edited.get_by_role("dialog", name="Leave with an unsaved change?")).to_be_visible()


@pytest.mark.spec("DS-82", "DS-D30")
def test_save_is_offered_only_where_the_form_is_valid(edited: Page) -> None:
    edit(edited, "")
    follow_link(edited)
    dialog = edited.get_by_role("dialog", name="Leave with an unsaved change?")
    expect(dialog).to_contain_text("It cannot be saved from here as it stands")
    expect(dialog.get_by_role("button", name="Save", exact=True)).to_be_hidden()


@pytest.mark.spec("DS-83")
def test_reloading_shows_the_warning_of_the_browser(edited: Page) -> None:
    shown: list[str] = []

    def stay(dialog: Dialog) -> None:
        shown.append(dialog.type)
        dialog.dismiss()

    edited.on("dialog", stay)
    edited.evaluate("setTimeout(() => location.reload())")
    edited.wait_for_timeout(300)
    assert shown == ["beforeunload"]


@pytest.mark.spec("DS-81")
def test_closing_the_panel_asks_about_its_form_only(page: Page) -> None:
    page.goto("/ui/?case=case-1")
    page.locator("#panel-note").fill("a note")
    page.locator("[data-panel-close]").click()
    answer(page, "Stay")
    expect(page.locator("#panel-note")).to_have_value("a note")
    page.keyboard.press("Escape")
    answer(page, "Discard")
    expect(page.locator("#panel-note")).to_have_count(0)


def test_following_another_row_asks_about_the_panel(page: Page) -> None:
    page.goto("/ui/?case=case-1")
    page.locator("#panel-note").fill("a note")
    page.locator("tr[data-row]").nth(1).get_by_role("link").focus()
    page.keyboard.press("Enter")
    answer(page, "Stay")
    expect(page.locator("#panel-title")).to_contain_text("Can I return")


@pytest.mark.spec("DS-79")
def test_what_is_unsaved_is_visibly_so(edited: Page) -> None:
    assert edited.title().startswith("• ")
    expect(edited.locator("#case-form .unsaved-bar")).to_be_visible()
    expect(edited.locator(".tab[aria-current] .dot")).to_be_visible()
    edited.locator("#case-form").get_by_role("button", name="Discard").click()
    expect(edited.locator("#case-form .unsaved-bar")).to_be_hidden()
    expect(edited.locator("#case_question")).to_have_value("Can I return a kettle that I have used once?")
    assert not edited.title().startswith("• ")


def leave_by_closing(page: Page) -> None:
    """What a closed tab leaves: the copy in the browser, nothing on the server."""
    wait_until(page, f"{COPIES} === 1")
    page.on("dialog", lambda dialog: dialog.accept())


@pytest.mark.spec("DS-84", "DS-85", "DS-86")
def test_the_change_is_offered_again_and_restored(edited: Page) -> None:
    leave_by_closing(edited)
    edited.goto("/ui/")
    expect(edited.locator("#case_question")).not_to_have_value(TYPED)
    edited.get_by_role("button", name="Restore").click()
    expect(edited.locator("#case_question")).to_have_value(TYPED)
    expect(edited.locator("#case-form")).to_have_attribute("data-dirty", "")


@pytest.mark.spec("DS-84", "DS-86")
def test_what_is_typed_below_an_undecided_offer_is_kept_beside_it(edited: Page) -> None:
    leave_by_closing(edited)
    edited.goto("/ui/")
    edit(edited, "Something else?")
    wait_until(edited, f"{COPIES} === 2")
    edited.goto("/ui/")
    offers = edited.locator("[data-unsaved-offer]")
    expect(offers).to_have_count(2)
    offers.first.get_by_role("button", name="Restore").click()
    expect(edited.locator("#case_question")).to_have_value(TYPED)
    expect(offers).to_have_count(1)
    offers.get_by_role("button", name="Restore").click()
    expect(edited.locator("#case_question")).to_have_value("Something else?")
    expect(offers).to_have_count(1)  # what was restored first, in its turn
    edited.locator("#case-form .unsaved-bar").get_by_role("button", name="Save").click()
    expect(edited.locator("#messages")).to_contain_text("Saved as version 13")
    wait_until(edited, f"{COPIES} === 1")
    offers.get_by_role("button", name="Discard").click()
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-87", "DS-88")
def test_a_change_to_an_older_version_can_only_be_looked_at_and_discarded(edited: Page) -> None:
    leave_by_closing(edited)
    edited.goto("/ui/?version=13")
    expect(edited.get_by_role("button", name="Restore")).to_have_count(0)
    edited.get_by_role("button", name="Show the change").click()
    expect(edited.locator("[data-unsaved-offer] dl")).to_contain_text(TYPED)
    edited.locator("[data-unsaved-offer]").get_by_role("button", name="Discard").click()
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-89")
def test_saving_removes_the_copy(edited: Page) -> None:
    wait_until(edited, f"{COPIES} === 1")
    edited.locator("#case-form .unsaved-bar").get_by_role("button", name="Save").click()
    expect(edited.locator("#messages")).to_contain_text("Saved as version 13")
    expect(edited.locator("#case-form .unsaved-bar")).to_be_hidden()
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-93", "DS-D29")
def test_a_very_large_change_stays_on_the_screen_only(edited: Page) -> None:
    edit(edited, "x" * 300_000)
    expect(edited.locator("#case-form .unsaved-bar")).to_contain_text("too large")
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-91", "DS-92", "DS-D28")
@pytest.mark.parametrize("leave", [switch_organisation, sign_out])
def test_switching_and_signing_out_remove_every_copy(edited: Page, leave: Callable[[Page], None]) -> None:
    leave_by_closing(edited)
    edited.goto("/ui/elsewhere")
    assert edited.evaluate(COPIES) == 1
    leave(edited)
    wait_until(edited, "!location.pathname.startsWith('/ui/elsewhere') || document.readyState === 'complete'")
    edited.wait_for_timeout(200)
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-D28")
def test_another_person_in_the_same_browser_finds_no_copy(edited: Page, page_of: Callable[..., Page]) -> None:
    leave_by_closing(edited)
    cookies = page_of("builder").context.cookies()
    edited.context.clear_cookies()
    edited.context.add_cookies(cookies)
    edited.goto("/ui/")
    expect(edited.get_by_role("button", name="Restore")).to_have_count(0)
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-D28")
def test_a_copy_is_forgotten_after_thirty_days(edited: Page) -> None:
    leave_by_closing(edited)
    edited.goto("/ui/elsewhere")
    edited.evaluate(
        """() => { const key = Object.keys(localStorage).find((key) => key.startsWith('casebook.unsaved.'));
        const copy = JSON.parse(localStorage.getItem(key)); copy.at -= 31 * 24 * 3600 * 1000;
        localStorage.setItem(key, JSON.stringify(copy)); }"""
    )
    edited.goto("/ui/")
    assert edited.evaluate(COPIES) == 0


@pytest.mark.spec("DS-78")
def test_nothing_is_sent_while_somebody_types(page: Page) -> None:
    page.goto("/ui/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.resource_type in ("xhr", "fetch") else None)
    edit(page)
    wait_until(page, f"{COPIES} === 1")
    assert sent == []
