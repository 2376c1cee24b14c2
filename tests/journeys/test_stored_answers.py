"""Answers of another tool are brought as a file, graded, and compared with an earlier set."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Score
from scoring.operations.grading import grade_scores
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere
from tests.scoring.stored import CASES, make_dataset, make_set

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]
WARRANTY, MALTA, _WEIGHT = CASES


def graded() -> None:
    grade_scores(list(Score.objects.values_list("pk", flat=True)))


@pytest.mark.spec("BC-28", "SC-43")
def test_a_file_of_answers_is_read_graded_and_compared(
    page_of: Callable[..., Page], cast: Cast, live_server: object
) -> None:
    builder = cast.actor("builder")
    dataset, ids = make_dataset(builder)
    make_set(builder, dataset, {ids[WARRANTY]: "2 years.", ids[MALTA]: "No."}, label="June")
    graded()
    page = page_of("builder")
    page.goto(f"/datasets/{dataset.pk}/?tab=results&part=stored")
    expect(page.get_by_role("link", name="June")).to_be_visible()
    page.get_by_role("link", name="Score stored answers").click()
    choose = page.locator("#answers-file")
    choose.set_input_files({"name": "july.csv", "mimeType": "text/csv", "buffer": b"input,answer\nWho?,Me\n"})
    expect(page.get_by_text("1 of 1 answers is not valid. Nothing was scored.")).to_be_visible()
    file = f"input,answer\n{WARRANTY},Ten days.\n{MALTA},Yes.\n".encode()
    choose.set_input_files({"name": "july.csv", "mimeType": "text/csv", "buffer": file})
    expect(page.get_by_text("2 answers read")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Score 2 answers").click()
    expect(page.get_by_role("heading", name="july")).to_be_visible()
    expect(page.get_by_text("0 of 2")).to_be_visible()
    graded()
    expect(page.get_by_text("1 of 2")).to_be_visible()
    assert_accessible_everywhere(page, page.url)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="From “June” to “july”")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=WARRANTY).get_by_text("Worse")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=MALTA).get_by_text("Improved")).to_be_visible()
    assert_accessible_everywhere(page, page.url)
