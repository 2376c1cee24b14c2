"""Versions in a real browser: opened from the list beside the title, compared, and one of them restored."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]
LONG = "and so it goes on. " * 1_500


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    """Two cases by version 2; then the first is edited (3), made long (4), and the second deleted (5)."""
    builder = cast.actor("builder")
    made = create_dataset(builder, name="Returns")
    drafts = [CaseDraft(question, reference_answer="Within 14 days.") for question in ("How long?", "How much?")]
    first, second = [add_case(builder, dataset_id=made.pk, draft=draft).revision.case_id for draft in drafts]
    edit_case(builder, dataset_id=made.pk, case_id=first, changes={"reference_answer": "Within 30 days."})
    edit_case(builder, dataset_id=made.pk, case_id=first, changes={"note": "Policy of March."})
    delete_cases(builder, dataset_id=made.pk, case_ids=[second])
    return made


@pytest.mark.spec("DS-59", "DS-60", "DS-62", "DS-D16")
def test_an_older_version_is_opened_compared_and_restored(page: Page, dataset: Dataset) -> None:
    page.goto(f"/datasets/{dataset.pk}/")
    page.get_by_role("button", name="Version 5").click()
    page.locator("#versions").get_by_role("link", name="2 1 added").click()
    expect(page.get_by_text("Version 2 of 5, read-only.")).to_be_visible()
    page.get_by_role("link", name="Compare with the newest").click()
    expect(page.get_by_role("heading", name="Compare version 2 with version 5")).to_be_visible()
    expect(page.locator("ins", has_text="30")).to_be_visible()
    expect(page.locator("del", has_text="14")).to_be_visible()
    page.get_by_role("link", name="Removed 1").click()
    expect(page.locator(".compared")).to_have_count(1)
    page.get_by_role("link", name="Open it in version 2").click()
    page.get_by_role("link", name="Restore this version").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 case comes back.")
    assert_accessible(page)
    dialog.get_by_role("button", name="Restore this version").click()
    expect(page.get_by_text("Version 2 is restored. Saved as version 6.")).to_be_visible()
    expect(page.locator("tr[data-row]")).to_have_count(2)


@pytest.mark.spec("DS-63", "DS-D8")
def test_a_version_opens_by_its_number_from_the_page_of_all(page: Page, dataset: Dataset, live_server: Any) -> None:
    page.goto(f"/datasets/{dataset.pk}/")
    page.get_by_role("button", name="Version 5").click()
    page.locator("#versions").get_by_role("link", name="All versions").click()
    expect(page.get_by_role("heading", name="Versions", exact=True)).to_be_visible()
    assert_accessible_everywhere(page, f"{live_server.url}/datasets/{dataset.pk}/versions/")
    page.get_by_label("Version number").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Version 3 of 5, read-only.")).to_be_visible()


def test_long_texts_come_when_their_case_is_opened(
    cast: Cast, page_of: Callable[..., Page], dataset: Dataset, live_server: Any
) -> None:
    builder = cast.actor("builder")
    case_id = add_case(builder, dataset_id=dataset.pk, draft=CaseDraft("Long?", reference_answer="x")).revision.case_id
    edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"reference_answer": LONG})
    page = page_of("viewer")
    page.goto(f"/datasets/{dataset.pk}/compare/?from=6&to=7")
    expect(page.get_by_text("and so it goes on.")).to_have_count(0)
    page.locator(".compared summary").click()
    expect(page.get_by_text("and so it goes on.")).to_be_visible()
    assert_accessible_everywhere(page, f"{live_server.url}/datasets/{dataset.pk}/compare/?from=1&to=5")
