"""Grading in a real browser: the two cards, rules beside criteria, leaving, the kept copy, the way on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.queries.settings import settings_of
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    made = create_dataset(cast.actor("owner"), name="Returns")
    draft = CaseDraft("How long may I return it?", reference_answer="30 days", counter_example="Never")
    add_case(cast.actor("owner"), dataset_id=made.pk, draft=draft)
    return made


@pytest.fixture
def page(page_of: Callable[..., Page]) -> Page:
    return page_of("owner")


@pytest.mark.spec(
    "SC-20", "SC-23", "SC-25", "SC-26", "SC-28", "SC-29", "SC-30", "SC-35", "SC-39", "SC-40", "SC-125", "SC-127"
)
def test_grading_is_set_up_and_an_unsaved_change_is_not_lost(page: Page, dataset: Dataset) -> None:
    page.on("dialog", lambda warning: warning.accept())
    there = f"/datasets/{dataset.pk}/?tab=settings&part=grading"
    page.goto(there)
    form = page.locator("#grading-form")
    passes = form.locator("[data-grading-card]").first
    judge = form.locator("[data-grading-card]").last
    expect(form.get_by_text("1 case has nothing that these settings check")).to_be_visible()
    form.get_by_role("button", name="Add criterion").click()
    form.get_by_label("Name").fill("Short")
    form.get_by_label("Question for the judge").fill("Is the answer at most 50 words?")
    judge.get_by_role("group", name="Your criteria").get_by_label("On").check()
    expect(judge.get_by_text("Unsaved change")).to_be_visible()
    expect(passes.get_by_text("Unsaved change")).to_be_hidden()
    expect(form.get_by_text("No model is chosen for the judge")).to_be_visible()

    page.get_by_role("link", name="Results").click()
    page.get_by_role("button", name="Stay").click()
    page.wait_for_timeout(500)  # the copy is written when the typing pauses
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(form.get_by_label("Name")).to_have_value("Short")
    expect(form.get_by_label("Question for the judge")).to_have_value("Is the answer at most 50 words?")

    form.get_by_role("button", name="Add the rule").click()
    expect(form.get_by_text("The rule is added")).to_be_visible()
    expect(form.get_by_label("At most")).to_have_value("50")
    expect(form.get_by_label("At most")).to_be_in_viewport()
    form.get_by_role("button", name="Compare with the reference answer").click()
    compares = judge.get_by_role("group", name="Reference answer").get_by_label("On")
    expect(compares).to_be_checked()
    expect(form.get_by_label("Name")).to_have_value("Short")
    expect(form.get_by_role("button", name="Compare with the reference answer")).to_have_count(0)
    form.get_by_role("button", name="Use yes/no grading").click()
    expect(form.get_by_label("Passes at")).to_have_value("2")
    form.get_by_role("button", name="Add model").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Add model")).to_be_visible()
    dialog.get_by_label("Provider", exact=True).select_option("compatible")
    dialog.get_by_label(re.compile("address|URL", re.IGNORECASE)).first.fill("http://127.0.0.1:9/v1")
    dialog.get_by_label("Model", exact=True).fill("small-1")
    dialog.get_by_role("button", name="Add model").click()
    expect(judge.locator("[data-grading-model] .item")).to_contain_text("small-1")
    assert_accessible(page)
    form.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("The grading is saved.")).to_be_visible()
    expect(form.get_by_role("link", name="Go to the test runs")).to_be_visible()
    found = settings_of(dataset).settings
    assert [one.name for one in found.criteria] == ["Short"]
    assert found.default_checks == ({"type": "length", "max": 50, "unit": "words"},)
    assert (found.scale, found.pass_at, bool(found.judge_model)) == (2, 2, True)
    assert_accessible_everywhere(page, page.url)
