"""A file that was imported before comes again, as it was and with one cell changed (BC-13, BC-17)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from datasets.operations.datasets import create_dataset
from datasets.operations.imports import import_file
from tests.cast import Cast
from tests.journeys.axe import assert_accessible

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

FILE = (
    "input,reference_answer,tags\nHow long is the return window?,30 days,returns\nCan I return a kettle?,Yes,returns\n"
)


@pytest.mark.spec("DS-122", "DS-D34", "DS-136")
def test_what_is_there_already_is_said_before_anything_is_stored(page_of: Callable[..., Page], cast: Cast) -> None:
    builder = cast.actor("builder")
    dataset = create_dataset(builder, name="Returns")
    import_file(builder, dataset_id=dataset.pk, name="cases.csv", data=FILE.encode())
    page = page_of("builder")
    page.goto(f"/datasets/{dataset.pk}/import/")
    choose = page.locator("#import-file")
    choose.set_input_files({"name": "cases.csv", "mimeType": "text/csv", "buffer": FILE.encode()})
    expect(page.get_by_text("Nothing differs: the newest version has every case of this file")).to_be_visible()
    expect(page.get_by_role("button", name="Import 2 cases")).to_have_count(0)
    edited = FILE.replace("30 days", "14 days").encode()
    choose.set_input_files({"name": "cases.csv", "mimeType": "text/csv", "buffer": edited})
    expect(page.get_by_text("1 of them is in the newest version already, word for word.")).to_be_visible()
    expect(page.get_by_role("button", name="Import 2 cases")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Import only the 1 that differs").click()
    expect(page.get_by_text("1 case imported. Saved as version 2.")).to_be_visible()
