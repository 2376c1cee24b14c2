"""Cases from conversations in a real browser: hidden words, deleting with the text, copies that are dropped."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision
from datasets.operations.datasets import create_dataset
from datasets.operations.erasure import erase_words_of
from tests.cast import Cast
from tests.datasets.conversations import add_conversation, person
from tests.journeys.axe import assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def revision(cast: Cast) -> CaseRevision:
    """A case from a conversation in a dataset of the Member, who reads no runs."""
    dataset = create_dataset(cast.actor("member"), name="From the chat")
    return add_conversation(cast, dataset, by="owner", question=person(cast, "ann")).revision


@pytest.mark.spec("ACC-26", "ACC-30", "ACC-D15", "ACC-D19")
def test_who_may_not_read_the_words_sees_markers_and_changes_tags(
    page_of: Callable[..., Page], live_server: Any, revision: CaseRevision
) -> None:
    page = page_of("member")
    page.goto(f"/datasets/{revision.dataset_id}/")
    page.get_by_role("link", name=HIDDEN_TEXT).click()
    expect(page.get_by_text("You may not read the words of this case")).to_be_visible()
    here = f"{live_server.url}/datasets/{revision.dataset_id}/"
    assert_accessible_everywhere(page, f"{here}?case={revision.case_id}")
    assert_accessible_everywhere(page, f"{here}cases/{revision.case_id}/edit/")
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_label("Question", exact=True)).to_be_disabled()
    page.get_by_label("Order").select_option("exact")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    expect(page.get_by_text("Exactly these, in this order.")).to_be_visible()


@pytest.mark.spec("ACC-D28", "ACC-D29")
def test_a_case_is_deleted_with_its_text(page: Page, live_server: Any, revision: CaseRevision) -> None:
    here = f"{live_server.url}/datasets/{revision.dataset_id}/"
    assert_accessible_everywhere(page, f"{here}cases/delete/?chosen={revision.case_id}:1")
    page.goto(here)
    page.get_by_role("button", name="Actions for").click()
    page.locator("[popover]:popover-open").get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete and remove its text from every version").click()
    expect(page.get_by_text("Its text is gone from every version.")).to_be_visible()
    page.goto(f"{here}?version=1&case={revision.case_id}")
    expect(page.get_by_text("Its text was replaced in every version:")).to_be_visible()


@pytest.mark.spec("ACC-D37", "DS-88")
def test_a_copy_of_a_text_that_was_erased_meanwhile_is_dropped_unseen(
    page: Page, cast: Cast, revision: CaseRevision
) -> None:
    page.on("dialog", lambda warning: warning.accept())
    here = f"/datasets/{revision.dataset_id}/"
    page.goto(f"{here}cases/{revision.case_id}/edit/")
    page.get_by_label("Reference answer").fill("A damson of my own")
    expect(page.get_by_text("Unsaved change", exact=True)).to_be_visible()
    page.goto(here)
    offer = page.get_by_text("There is an unsaved change from before")
    expect(offer).to_be_visible()
    erase_words_of(person(cast, "ann"))
    page.reload()
    expect(page.get_by_role("link", name="[erased]")).to_be_visible()
    expect(offer).to_be_hidden()
    assert page.evaluate("Object.values(localStorage).join()").count("damson") == 0
