"""Skills and knowledge in a real browser: writing one, adding files, asking what an agent would find (PL-24)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.agents.documents import WARRANTY, pdf
from tests.journeys.axe import assert_accessible

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.mark.spec("PL-24")
def test_files_are_added_searched_and_removed(page_of: Callable[..., Page], tmp_path: Path) -> None:
    (tmp_path / "handbook.md").write_text(WARRANTY, encoding="utf-8")
    (tmp_path / "terms.pdf").write_bytes(pdf("The warranty of kettles.", "Returns within 30 days."))
    (tmp_path / "table.xlsx").write_bytes(b"PK\x03\x04\x00\xff\xfe")
    page = page_of("member")
    page.goto("/knowledge/")
    assert_accessible(page)
    page.get_by_role("link", name="New knowledge base").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Shop handbook")
    page.get_by_role("dialog").get_by_role("button", name="Create knowledge base").click()
    expect(page.get_by_role("heading", name="Shop handbook", level=1)).to_be_visible()
    page.get_by_role("link", name="Add documents").click()
    dialog = page.get_by_role("dialog", name="Add documents")
    dialog.get_by_label("Files").set_input_files([str(file) for file in sorted(tmp_path.iterdir())])
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_text("is no text")).to_be_visible()
    expect(dialog.get_by_text("Added, in 3 passages")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("link", name="Done").click()
    expect(page.locator("tr[data-row]")).to_have_count(2)
    assert_accessible(page)
    page.get_by_role("link", name="Search", exact=True).click()
    page.wait_for_url("**/?tab=search")
    page.get_by_role("searchbox", name="Search in the documents").fill("how long is the warranty?")
    expect(page.locator("article").first).to_contain_text("The warranty lasts two years.")
    expect(page.locator("article").first.locator("mark").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="handbook.md").first.click()
    expect(page.get_by_text("Łódź odbiera paczki sama.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Remove document").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove document").click()
    expect(page.get_by_text("“handbook.md” is removed.")).to_be_visible()


@pytest.mark.spec("PL-24")
def test_a_skill_is_written_previewed_and_not_lost(page_of: Callable[..., Page]) -> None:
    page = page_of("member")
    page.goto("/skills/new/")
    page.get_by_label("Name").fill("Handing over")
    page.get_by_role("textbox", name="Instructions").fill("Offer a **colleague**.")
    page.get_by_role("button", name="Preview").or_(page.get_by_role("tab", name="Preview")).click()
    expect(page.locator("strong", has_text="colleague")).to_be_visible()
    assert_accessible(page)
    page.locator("#skill-form").get_by_role("button", name="Create skill").first.click()
    expect(page.get_by_role("heading", name="Handing over", level=1)).to_be_visible()
    assert_accessible(page)
    page.get_by_role("textbox", name="Instructions").fill("Offer a colleague at once.")
    page.get_by_role("link", name="Sharing").click()
    question = page.get_by_role("dialog")
    question.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Who sees it")).to_be_visible()
    page.get_by_role("link", name="Instructions", exact=True).click()
    expect(page.get_by_role("textbox", name="Instructions")).to_have_value("Offer a colleague at once.")
