"""A case that was not saved: kept in this browser, offered on the dataset's page, gone once it is discarded."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def writing(page_of: Callable[..., Page]) -> Page:
    """A member who wrote a question into a new dataset and closed the page."""
    page = page_of("member")
    page.on("dialog", lambda warning: warning.accept())
    page.goto("/datasets/new/")
    page.get_by_label("Name").fill("Returns")
    page.get_by_role("button", name="Create dataset").click()
    expect(page.get_by_role("heading", name="Returns", level=1)).to_be_visible()
    page.get_by_role("link", name="Write a question").click()
    page.get_by_label("Question").fill("May I return it after a year?")
    expect(page.get_by_text("Unsaved change", exact=True)).to_be_visible()
    page.wait_for_timeout(500)  # the copy is written when the typing pauses
    page.reload()
    return page


@pytest.mark.spec("DS-84", "DS-86", "DS-89")
def test_an_unsaved_case_is_offered_again_and_forgotten_once_saved(writing: Page) -> None:
    page = writing
    offer = page.get_by_text("There is an unsaved change from before")
    expect(offer).to_be_visible()
    page.get_by_role("link", name="Restore", exact=True).click()
    expect(page.get_by_label("Question")).to_have_value("May I return it after a year?")
    page.get_by_label("Reference answer").fill("No, within 30 days.")
    warnings: list[str] = []
    page.on("dialog", lambda warning: warnings.append(warning.type))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    assert warnings == []
    page.reload()
    expect(page.locator("tr[data-row]")).to_have_count(1)
    expect(page.locator("[data-unsaved-offer]")).to_have_count(0)


@pytest.mark.spec("DS-90")
def test_a_discarded_copy_is_gone(writing: Page) -> None:
    writing.get_by_role("button", name="Discard").click()
    writing.reload()
    expect(writing.get_by_role("heading", name="No cases yet")).to_be_visible()
    expect(writing.get_by_text("There is an unsaved change from before")).to_be_hidden()


def test_save_stands_once_where_a_change_is_unsaved(writing: Page) -> None:
    writing.get_by_role("link", name="Write a question").click()
    writing.get_by_label("Question").fill("Is it written?")
    expect(writing.get_by_role("button", name="Save", exact=True)).to_have_count(1)
    expect(writing.get_by_text("Saving makes version 1.")).to_be_visible()
