"""The dataset page in a real browser: the guided tour to a first case, sharing, and every area's accessibility."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import access
from accounts.models import User
from accounts.permissions import GrantLevel
from datasets.models import CaseRevision
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

FIELDS = (
    "What a good answer says",
    "What it must not say",
    "Tools it should call",
    "Rules that can be stated exactly",
    "What was said before",
    "Tags to find it by",
    "A note for whoever reads it later",
    "Save, or leave it",
)


def card(page: Page) -> Locator:
    return page.locator("[data-tour-card]")


def go_on(page: Page, words: str = "Next") -> None:
    card(page).get_by_role("button", name=words).click()


@pytest.mark.spec("DS-95", "DS-96", "DS-97", "DS-D67")
def test_the_tour_leads_a_newcomer_to_a_first_case_field_by_field(cast: Cast, page_of: Callable[..., Page]) -> None:
    page = page_of("member")
    page.goto("/datasets/")
    page.get_by_role("button", name="Take the tour").click()
    expect(card(page)).to_be_focused()
    expect(card(page)).to_contain_text("Datasets test your agents")
    assert_accessible(page)
    go_on(page)
    go_on(page, "Make a dataset")
    page.get_by_role("textbox", name="Name").fill("Returns")
    go_on(page)
    expect(card(page)).to_contain_text("Who sees it")
    go_on(page)
    page.get_by_role("button", name="Create dataset").click()
    expect(card(page)).to_contain_text("Three areas")
    go_on(page)
    expect(card(page)).to_contain_text("Four steps")
    go_on(page)
    go_on(page, "Open the form")
    panel = page.locator("#panel")
    expect(card(page)).to_contain_text("The question")
    panel.get_by_role("textbox", name="Question").fill("Can I return a used kettle?")
    for title in FIELDS:
        go_on(page)
        expect(card(page)).to_contain_text(title)
        if title == FIELDS[0]:
            expect(panel.get_by_label("Reference answer")).to_be_focused()
            assert_accessible(page)
    assert not CaseRevision.objects.exists()
    go_on(page, "Back")
    expect(card(page)).to_contain_text(FIELDS[-2])
    go_on(page)
    panel.get_by_label("Reference answer").fill("No, only unused items.")
    panel.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    expect(card(page)).to_have_count(0)
    assert User.objects.get(pk=cast.member.user_id).tour == "finished"
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Guided tour").click()
    expect(card(page)).to_contain_text("Datasets test your agents")


@pytest.mark.spec("DS-D67")
def test_escape_closes_the_tour_for_good(cast: Cast, page_of: Callable[..., Page]) -> None:
    create_dataset(cast.actor("member"), name="Returns")
    User.objects.filter(pk=cast.member.user_id).update(tour="running")
    page = page_of("member")
    page.goto("/datasets/")
    expect(card(page)).to_be_focused()
    with page.expect_response("**/me/tour/"):
        page.keyboard.press("Escape")
    expect(page.get_by_text("The tour is closed.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()
    expect(card(page)).to_have_count(0)


@pytest.mark.spec("ACC-3", "ACC-13", "ACC-16", "ACC-17", "ACC-D7")
def test_a_dataset_is_shared_changed_and_taken_back(cast: Cast, page_of: Callable[..., Page]) -> None:
    dataset = create_dataset(cast.actor("builder"), name="Returns")
    access.put_grant(dataset, user=cast.operator.user, level=GrantLevel.USE)
    page = page_of("builder")
    page.goto(f"/datasets/{dataset.pk}/")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Share").click()
    expect(page.get_by_text("No effect")).to_be_visible()
    page.get_by_role("link", name="Share").click()
    dialog = page.get_by_role("dialog", name="Share the dataset")
    dialog.get_by_role("searchbox").press_sequentially("view", delay=30)
    expect(dialog.get_by_role("radio", name="viewer@example.org")).to_be_visible()
    expect(dialog.get_by_role("radio", name="admin@example.org")).to_have_count(0)
    assert_accessible(page)
    dialog.get_by_role("radio", name="viewer@example.org").check()
    dialog.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Viewer can view now.")).to_be_visible()
    page.get_by_label("What Viewer can do").focus()
    page.get_by_label("What Viewer can do").select_option("edit")
    expect(page.get_by_text("Viewer can edit now.")).to_be_visible()
    expect(page.get_by_label("What Viewer can do")).to_be_focused()
    page.get_by_role("link", name="Remove Operator").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing changes for them")
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No effect")).to_have_count(0)
    page.get_by_role("link", name="Make it private").click()
    expect(page.get_by_role("dialog")).to_contain_text("3 members lose access to it:")
    assert_accessible(page)
    page.get_by_role("dialog").get_by_role("button", name="Make it private").click()
    expect(page.get_by_role("link", name="Show it to the organisation")).to_be_visible()


@pytest.mark.spec("DS-7", "DS-8", "DS-61")
def test_the_workspace_fills_the_screen_and_keeps_its_areas(cast: Cast, page_of: Callable[..., Page]) -> None:
    dataset = create_dataset(cast.actor("builder"), name="Returns")
    page = page_of("builder")
    page.goto(f"/datasets/{dataset.pk}/")
    page.get_by_role("button", name="Full screen", exact=True).click()
    expect(page.get_by_role("navigation", name="Console")).to_be_hidden()
    expect(page.get_by_role("link", name="Write a question")).to_be_visible()
    page.get_by_role("link", name="Results", exact=True).click()
    expect(page.get_by_text("No test runs yet")).to_be_visible()
    expect(page.get_by_role("navigation", name="Console")).to_be_hidden()
    page.get_by_role("button", name="Leave full screen").click()
    expect(page.get_by_role("navigation", name="Console")).to_be_visible()
    page.get_by_role("link", name="Settings").first.click()
    page.get_by_role("link", name="Edit details").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Returns and refunds")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Returns and refunds", level=1)).to_be_visible()
    dataset.refresh_from_db()
    assert dataset.newest_version == 0


@pytest.mark.looks
def test_every_area_is_accessible_in_four_settings(cast: Cast, page: Page, live_server: Any) -> None:
    dataset = create_dataset(cast.actor("owner"), name="Returns")
    access.put_grant(dataset, user=cast.operator.user, level=GrantLevel.USE)
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.READ)
    here = f"{live_server.url}/datasets/{dataset.pk}/"
    page.goto(here)
    for address in (
        "?tour=offered",
        "?tab=results",
        "?tab=settings",
        "?tab=settings&part=sharing",
        "sharing/new/",
        "owner/",
        "delete/",
        "../what-deletion-reaches/",
    ):
        assert_accessible_everywhere(page, here + address)
