"""The main job in a real browser: a dataset, a file, its cases, an edit, version 2, and the file again."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from datasets.operations.demonstration import load_demonstration
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.every_database, pytest.mark.django_db(transaction=True)]

GOOD = (
    "input,reference_answer,tags\nHow long is the return window?,30 days from delivery,returns\n"
    'Can I return a used kettle?,"No, only unused items",returns\n'
)
BAD = "input,reference_answer,order_mode\nq1,,any\nq2,a,sometimes\n"


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], str]:
    """`file("cases.csv", text)`: the path of a file to choose."""

    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return str(path)

    return written


@pytest.mark.spec("DS-95", "DS-122", "DS-124", "DS-125", "DS-104", "DS-113", "DS-135", "DS-136")
def test_from_an_empty_console_to_the_file_of_version_2(
    page_of: Callable[..., Page], file: Callable[[str, str], str]
) -> None:
    page = page_of("member")
    page.goto("/datasets/")
    page.get_by_role("link", name="New dataset").click()
    page.get_by_label("Name").fill("Returns")
    page.get_by_role("button", name="Create dataset").click()
    expect(page.get_by_role("heading", name="Returns", level=1)).to_be_visible()
    _import(page, file)
    _edit(page)
    _read_the_old_version(page)
    _export(page)


def _import(page: Page, file: Callable[[str, str], str]) -> None:
    page.get_by_role("button", name="Import a CSV or JSONL file").click()
    dialog = page.get_by_role("dialog", name="Import cases")
    expect(dialog.get_by_text("expected_tool_calls", exact=True)).to_be_visible()
    dialog.locator("#import-file").set_input_files(file("cases.csv", BAD))
    expect(dialog.get_by_text("2 of 2 rows are not valid. Nothing was imported.")).to_be_visible()
    expect(dialog.get_by_role("cell", name="order_mode")).to_be_visible()
    assert_accessible(page)
    dialog.locator("#import-file").set_input_files(file("cases.csv", GOOD))
    dialog.get_by_role("button", name="Import 2 cases").click()
    expect(page.get_by_text("2 cases imported. Saved as version 1.")).to_be_visible()
    expect(page.locator("tr[data-row]")).to_have_count(2)


def _edit(page: Page) -> None:
    page.get_by_role("link", name="How long is the return window?").click()
    panel = page.locator("#panel")
    expect(panel.get_by_text("30 days from delivery")).to_be_visible()
    assert "case=" in page.url
    panel.get_by_role("link", name="Edit").click()
    expect(panel.get_by_text("Saving makes version 2.")).to_be_visible()
    panel.get_by_label("Reference answer").fill("14 days from delivery")
    panel.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    expect(panel.get_by_text("14 days from delivery")).to_be_visible()


def _read_the_old_version(page: Page) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Version 2").click()
    page.locator("#versions").get_by_text("Imported from a file: 2 added").click()
    expect(page.get_by_text("Version 1 of 2, read-only.")).to_be_visible()
    expect(page.get_by_role("link", name="Add case")).to_have_count(0)
    page.get_by_role("link", name="How long is the return window?").click()
    expect(page.locator("#panel").get_by_text("30 days from delivery")).to_be_visible()
    expect(page.locator("#panel").get_by_role("link", name="Edit")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Go to the newest version").click()


def _export(page: Page) -> None:
    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export version 2")
    with page.expect_download() as waited:
        dialog.get_by_role("link", name="CSV For scripts").click()
    assert waited.value.suggested_filename == "returns-v2.csv"
    expect(dialog).to_be_hidden()
    with open(waited.value.path(), encoding="utf-8", newline="") as downloaded:
        rows = list(csv.DictReader(downloaded))
    assert [(row["input"], row["reference_answer"], row["tags"]) for row in rows] == [
        ("How long is the return window?", "14 days from delivery", "returns"),
        ("Can I return a used kettle?", "No, only unused items", "returns"),
    ]


def _open_demonstration(cast: Cast, page: Page) -> None:
    load_demonstration(cast.actor("owner"))
    page.goto("/datasets/")
    page.get_by_role("link", name="API errors").click()
    expect(page.get_by_role("heading", name="API errors", level=1)).to_be_visible()
    page.wait_for_load_state()


@pytest.mark.spec("DS-80", "DS-115", "DS-117", "DS-118", "DS-78")
def test_a_case_is_written_and_nothing_of_it_is_lost_on_the_way(cast: Cast, page: Page) -> None:
    _open_demonstration(cast, page)
    page.keyboard.press("c")
    panel = page.locator("#panel")
    panel.get_by_label("Question").fill("is the API down   RIGHT now?")
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_text("A case needs something to compare an answer with").first).to_be_visible()
    panel.get_by_label("Reference answer").fill("I cannot see that from here.")
    page.get_by_role("link", name="Settings").first.click()
    question = page.get_by_role("dialog", name="Leave with an unsaved change?")
    question.get_by_role("button", name="Stay").click()
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_text("Another case asks this question")).to_be_visible()
    expect(panel.get_by_role("link", name="Open it")).to_be_visible()
    assert_accessible(page)
    panel.get_by_role("button", name="Add anyway").click()
    expect(page.get_by_text("Saved as version 7.")).to_be_visible()


@pytest.mark.spec("DS-18", "DS-D14")
def test_several_cases_are_chosen_and_deleted_at_once(cast: Cast, page: Page) -> None:
    _open_demonstration(cast, page)
    page.get_by_label("Select “Is the API down right now?”").check()
    page.get_by_label("Select “Sending email times out").check()
    expect(page.get_by_text("2 cases selected")).to_be_visible()
    page.locator("#selection").get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete 2 cases?")
    assert_accessible(page)
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("2 cases deleted. Saved as version 7.")).to_be_visible()
    expect(page.locator("tr[data-row]")).to_have_count(5)
    page.get_by_role("button", name="Actions for “The storage API").click()
    page.get_by_role("button", name="Delete").locator("visible=true").last.click()
    expect(page.get_by_role("dialog", name="Delete this case?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("tr[data-row]")).to_have_count(5)


def test_search_and_filters_keep_the_address_and_the_focus(cast: Cast, page: Page) -> None:
    _open_demonstration(cast, page)
    page.keyboard.press("/")
    page.keyboard.type("EMAIL")
    expect(page.locator("tr[data-row]")).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Search questions")).to_be_focused()
    assert "q=EMAIL" in page.url
    page.reload()
    expect(page.locator("tr[data-row]")).to_have_count(1)
    page.get_by_role("searchbox", name="Search questions").fill("")
    page.get_by_label("Tag").select_option("calendar")
    expect(page.get_by_role("link", name="It worked the third time")).to_be_visible()
    expect(page.get_by_text("1 case", exact=True)).to_be_visible()
    page.get_by_role("heading", name="API errors", level=1).click()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#panel").get_by_text("Earlier conversation")).to_be_visible()


@pytest.mark.looks
def test_every_page_of_datasets_is_accessible_in_four_settings(cast: Cast, page: Page, live_server: Any) -> None:
    dataset = load_demonstration(cast.actor("owner"))
    here = f"{live_server.url}/datasets/"
    page.goto(here)
    page.get_by_role("link", name="API errors").click()
    page.get_by_role("link", name="It worked the third time").click()
    expect(page.locator("#panel .case")).to_be_visible()
    case = page.url.split("case=")[1].split("&")[0]
    for address in (
        "",
        "?q=nothing",
        "new/",
        f"{dataset.pk}/",
        f"{dataset.pk}/?version=2",
        f"{dataset.pk}/?version=99",
        f"{dataset.pk}/?q=nothing",
        f"{dataset.pk}/?tab=cases&case={case}",
        f"{dataset.pk}/?tab=settings",
        f"{dataset.pk}/cases/new/",
        f"{dataset.pk}/cases/{case}/edit/",
        f"{dataset.pk}/cases/delete/?chosen={case}:2",
        f"{dataset.pk}/import/",
        f"{dataset.pk}/export/",
        f"{dataset.pk}/delete/",
    ):
        assert_accessible_everywhere(page, here + address)
