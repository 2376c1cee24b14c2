"""The console's frame in a browser: accessibility, keyboard, side panel, dialogs, rail."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.axe import SCHEMES, WIDTHS, assert_accessible, setting

pytestmark = [pytest.mark.journey, pytest.mark.urls("tests.gallery_urls")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.looks
def test_every_component_is_accessible_and_fits(page: Page, live_server: Any, width: int, scheme: str) -> None:
    with setting(page.context.browser, page.context.storage_state(), width=width, scheme=scheme) as seen:
        seen.goto(f"{live_server.url}/ui/")
        assert_accessible(seen)
        assert seen.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.looks
def test_what_floats_is_accessible(page: Page) -> None:
    page.goto("/ui/?case=case-1")
    assert_accessible(page)
    page.goto("/ui/")
    page.get_by_role("button", name="Delete dataset").last.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Owner").click()
    assert_accessible(page)


def test_panel_follows_the_keys_and_the_address_says_what_is_open(page: Page) -> None:
    page.goto("/ui/")
    rows = page.locator("tr[data-row]")
    rows.nth(0).get_by_role("link").click()
    expect(page.locator("#panel-title")).to_have_text("Can I return a kettle that I have used once?")
    assert page.url.endswith("/ui/?case=case-1")
    for key, title, row in (("j", "My order 4711", 1), ("ArrowDown", "¿Cuánto tarda", 2), ("k", "My order 4711", 1)):
        page.keyboard.press(key)
        expect(page.locator("#panel-title")).to_contain_text(title)
        expect(rows.nth(row)).to_have_attribute("data-open", "")
    assert page.url.endswith("/ui/?case=case-2")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert page.url.endswith("/ui/")
    expect(rows.nth(1).get_by_role("link")).to_be_focused()


def test_back_opens_the_row_before(page: Page) -> None:
    page.goto("/ui/")
    page.locator("tr[data-row]").nth(0).get_by_role("link").click()
    expect(page.locator("#panel-title")).to_contain_text("Can I return")
    page.keyboard.press("j")
    expect(page.locator("#panel-title")).to_contain_text("My order 4711")
    page.go_back()
    expect(page.locator("#panel-title")).to_contain_text("Can I return")


def test_panel_is_as_wide_as_dragged_and_stays_so(page: Page) -> None:
    page.goto("/ui/?case=case-1")
    grip = page.get_by_role("separator")
    grip.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    width = width_of(page.locator("#panel"))
    assert 480 <= width <= 760
    page.reload()
    assert width_of(page.locator("#panel")) == width
    for _ in range(40):
        page.get_by_role("separator").press("ArrowRight")
    assert width_of(page.locator("#panel")) == 480


def test_panel_fills_a_narrow_window(page_of: Callable[..., Page]) -> None:
    page = page_of("owner", viewport={"width": 390, "height": 800})
    page.goto("/ui/?case=case-1")
    assert width_of(page.locator("#panel")) == 390


def test_focus_stays_in_the_dialog_and_comes_back(page: Page) -> None:
    page.goto("/ui/")
    opener = page.get_by_role("button", name="Open dialog")
    opener.click()
    dialog = page.get_by_role("dialog", name="New dataset")
    expect(dialog.get_by_label("Name")).to_be_focused()
    for _ in range(8):
        page.keyboard.press("Tab")
        inside = "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))"
        assert page.evaluate(inside)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()


def test_keys_list_search_and_add(page: Page) -> None:
    page.goto("/ui/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("c?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.get_by_role("dialog", name="New dataset")).to_be_visible()


def test_full_screen_hides_rail_and_head(page: Page) -> None:
    page.goto("/ui/")
    page.keyboard.press("f")
    expect(page.locator("#rail")).to_be_hidden()
    expect(page.locator(".page-head")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#rail")).to_be_visible()


def test_rail_stays_collapsed_on_the_next_page(page: Page) -> None:
    page.goto("/ui/")
    page.get_by_role("button", name="Collapse the rail").click()
    page.goto("/ui/elsewhere")
    assert width_of(page.locator("#rail")) < 60
    expect(page.get_by_role("link", name="Members")).to_be_visible()
    assert_accessible(page)


def test_rail_is_a_drawer_on_a_narrow_window(page_of: Callable[..., Page]) -> None:
    page = page_of("owner", viewport={"width": 390, "height": 800})
    page.goto("/ui/")
    expect(page.locator("#rail")).to_be_hidden()
    page.get_by_role("button", name="Open the menu").click()
    expect(page.locator("#rail")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rail")).to_be_hidden()
    expect(page.get_by_role("button", name="Open the menu")).to_be_focused()


def test_an_error_of_the_server_is_a_message_and_replaces_nothing(page: Page) -> None:
    page.goto("/ui/")
    page.get_by_role("button", name="Dialog from the server").click()
    expect(page.locator("#messages")).to_contain_text("The dataset has a newer version.")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_preview_shows_what_pages_show(page: Page) -> None:
    page.goto("/ui/")
    editor = page.locator("[data-editor]").first
    editor.get_by_role("textbox").fill("Within **30 days** <b>x</b>")
    editor.get_by_role("tab", name="Preview").click()
    expect(editor.locator("[data-editor-preview] strong")).to_have_text("30 days")
    expect(editor.locator("[data-editor-preview]")).to_contain_text("<b>x</b>")
    editor.get_by_role("tab", name="Write").click()
    editor.get_by_role("textbox").press("Tab")
    expect(editor.get_by_role("textbox")).not_to_be_focused()


def test_the_searchable_select_finds_and_takes(page: Page) -> None:
    page.goto("/ui/")
    page.locator("#sample_agent-ts-control").click()
    expect(page.get_by_role("option", name="Billing")).to_be_visible()
    page.keyboard.type("bill")
    page.keyboard.press("Enter")
    expect(page.locator("#sample_agent")).to_have_value("billing")


def width_of(part: Locator) -> int:
    """Its width in whole pixels: a browser measures in fractions, and 760 may be 760.00006 while a thing slides in."""
    return round(part.bounding_box()["width"])
