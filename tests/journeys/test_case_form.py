"""The case form in a real browser: rows without reloading, JSON and back, the kept copy, leaving."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

FULL = CaseDraft(
    input="Where is order 12?",
    history=({"role": "assistant", "content": "Hello"}, {"role": "user", "content": "I bought a kettle."}),
    reference_answer="On its way.",
    counter_example="I do not know.",
    expected_tool_calls=({"tool": "find_order", "args": {"id": 12, "lines": ["a", "b"], "mail": "12"}},),
    order_mode="in_order",
    checks=({"type": "contains", "value": "way", "case_sensitive": False}, {"type": "max_cost_usd", "value": 1.0}),
    tags=("orders", "lookup"),
    note="Was wrong once.",
)


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("builder"), name="Orders")


@pytest.fixture
def page(page_of: Callable[..., Page]) -> Page:
    return page_of("builder")


@pytest.fixture
def form(page: Page, dataset: Dataset) -> Locator:
    """The form of a new case, on a page of its own, with everything opened."""
    page.goto(f"/datasets/{dataset.pk}/cases/new/")
    for section in ("Tools", "Checks", "Earlier conversation", "Tags and note"):
        page.locator("#case-form summary", has_text=section).click()
    return page.locator("#case-form")


def test_an_empty_form_that_is_refused_is_not_an_unsaved_change(page: Page, dataset: Dataset) -> None:
    page.goto(f"/datasets/{dataset.pk}/cases/new/")
    form = page.locator("#case-form")
    form.get_by_role("button", name="Save", exact=True).first.click()
    expect(form.locator('[aria-invalid="true"]').first).to_be_visible()
    expect(page.get_by_text("Unsaved change", exact=True)).to_be_hidden()
    form.get_by_label("Question").fill("Where is it?")
    form.get_by_role("button", name="Save", exact=True).first.click()
    expect(form.locator('[aria-invalid="true"]').first).to_be_visible()
    expect(page.get_by_text("Unsaved change", exact=True)).to_be_visible()


def add_check(form: Locator, kind: str) -> Locator:
    form.get_by_role("button", name="Add check").click()
    row = form.locator("[data-check]").last
    row.get_by_label("Type of check").select_option(kind)
    return row


def add_argument(call: Locator, name: str, value: str, kind: str = "text") -> None:
    call.get_by_role("button", name="Add argument").click()
    row = call.locator("[data-argument]").last
    row.get_by_label("Name").fill(name)
    row.get_by_label("Value", exact=True).fill(value)
    row.get_by_label("Kind of value").select_option(kind)


@pytest.mark.spec("DS-100", "DS-101", "DS-102", "DS-105", "DS-D23", "DS-D25")
def test_a_case_is_written_row_by_row(page: Page, form: Locator) -> None:
    form.get_by_label("Question").fill("Where is order 12?")
    form.get_by_role("button", name="Add call").click()
    call = form.get_by_role("group", name="Expected tool call 1")
    call.get_by_label("Tool").fill("find_order")
    add_argument(call, "text", "12")
    add_argument(call, "number", "12", "json")
    add_argument(call, "word", "kettle", "json")
    expect(call.get_by_label("Value", exact=True).last).to_have_value('"kettle"')
    add_check(form, "regex").get_by_label("Pattern").fill("way|road")
    length = add_check(form, "length")
    length.get_by_label("Counted in").select_option("words")
    length.get_by_label("At most", exact=True).fill("50")
    add_check(form, "json_schema").get_by_label("JSON Schema").fill('{"type": "object"}')
    add_check(form, "max_latency_ms").get_by_label("At most, in milliseconds").fill("2000")
    text = add_check(form, "equals")
    text.get_by_label("Text", exact=True).fill("gone")
    text.get_by_label("Capital and small letters differ").check()
    form.get_by_role("group", name="Check 5").get_by_role("button", name="Remove").click()
    for said in ("I bought a kettle.", "Which one?", "The blue one."):
        form.get_by_role("button", name="Add turn").click()
        form.get_by_label("What was said").last.fill(said)
    expect(form.get_by_text("The last turn is the user's.")).to_be_visible()
    form.get_by_role("group", name="Turn 3").get_by_role("button", name="Move up").click()
    expect(form.get_by_text("The last turn is the user's.")).to_be_hidden()
    expect(form.get_by_text("The calls of the run are compared with the expected ones.")).to_be_visible()
    form.get_by_role("combobox", name="Tags").press_sequentially("orders,late")
    page.keyboard.press("Enter")
    assert_accessible(page)
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    stored = CaseRevision.objects.get()
    assert stored.tags == ["orders", "late"]
    assert stored.expected_tool_calls == [
        {"tool": "find_order", "args": {"number": 12, "text": "12", "word": "kettle"}}
    ]
    assert [check["type"] for check in stored.checks] == ["regex", "length", "json_schema", "max_latency_ms"]
    assert stored.checks[1] == {"type": "length", "max": 50, "unit": "words"}
    assert [turn["role"] for turn in stored.history] == ["user", "user", "assistant"]


@pytest.mark.spec("DS-103", "DS-D27")
def test_a_case_is_edited_as_json_and_as_fields_again(page: Page, form: Locator) -> None:
    form.get_by_label("Question").fill("q")
    form.get_by_role("button", name="Edit as JSON").click()
    text = form.get_by_label("Case as JSON")
    expect(text).to_be_focused()
    expect(text).to_have_value('{\n  "input": "q",\n  "history": [],\n  "reference_answer": null,\n  "counter_example": null,\n  "expected_tool_calls": [],\n  "order_mode": "any",\n  "checks": [],\n  "tags": [],\n  "note": null\n}')  # fmt: skip  # noqa: E501
    expect(form).to_have_attribute("data-dirty", "")
    broken = '{"input": "q",\n "checks": [{"type": "contains" "value": "x"}]}'
    text.fill(broken)
    form.get_by_role("button", name="Edit as fields").click()
    expect(form.get_by_text("In checks, line 2, column 33: a comma").first).to_be_visible()
    expect(text).to_have_value(broken)
    text.fill('{"input": "q",\n "cheks": []}')
    form.get_by_role("button", name="Edit as fields").click()
    expect(
        form.get_by_text("Line 2, cheks: There is no field of this name. Did you mean checks?").first
    ).to_be_visible()
    text.fill('{"input": "q",\n "checks": [{"type": "contains", "value": "x"}]}')
    form.get_by_role("button", name="Edit as fields").click()
    expect(form.get_by_role("textbox", name="Text", exact=True)).to_have_value("x")
    form.get_by_role("button", name="Edit as JSON").click()
    text.fill(
        '{"input": "q", "reference_answer": "a", "tags": ["rare"],'
        ' "expected_tool_calls": [{"tool": "t", "args": {"": 1}}]}'
    )
    page.on("dialog", lambda warning: warning.accept())
    page.reload()
    expect(text).to_be_hidden()
    page.get_by_role("button", name="Restore").click()
    expect(text).to_have_value(re.compile('"reference_answer": "a"'))
    form.get_by_role("button", name="Edit as fields").click()
    expect(form.get_by_label("As JSON", exact=True)).to_have_value(re.compile('"": 1'))
    expect(form.get_by_text("rare", exact=True)).to_be_visible()
    form.get_by_role("button", name="Edit as JSON").click()
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()


@pytest.mark.spec("DS-84", "DS-86", "DS-87", "DS-88")
def test_a_kept_copy_comes_back_with_its_rows(cast: Cast, dataset: Dataset, page: Page, form: Locator) -> None:
    page.on("dialog", lambda warning: warning.accept())
    form.get_by_label("Question").fill("q")
    add_check(form, "length").get_by_label("At least").fill("5")
    form.get_by_role("button", name="Add call").click()
    call = form.get_by_role("group", name="Expected tool call 1")
    call.get_by_label("Tool").fill("find")
    add_argument(call, "id", "12", "json")
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(form.get_by_label("At least")).to_have_value("5")
    expect(form.get_by_label("Value", exact=True)).to_have_value("12")
    expect(form.get_by_label("Kind of value")).to_have_value("json")
    expect(form).to_have_attribute("data-dirty", "")
    form.get_by_label("Question").fill("question")
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL)
    page.reload()
    expect(page.get_by_role("button", name="Restore")).to_have_count(0)
    page.get_by_role("button", name="Show the change").click()
    offer = page.locator("[data-unsaved-offer] dl")
    expect(offer).to_contain_text("Check 1 · At least")
    expect(offer).to_contain_text("Expected tool call 1 · Argument 1 · Value")
    expect(offer).not_to_contain_text("Reference answer")


@pytest.mark.spec("DS-80", "DS-82", "DS-D30", "DS-90")
def test_save_is_offered_where_the_server_would_save(cast: Cast, dataset: Dataset, page: Page) -> None:
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL)
    page.goto(f"/datasets/{dataset.pk}/cases/new/")
    form = page.locator("#case-form")
    question = page.get_by_role("dialog", name="Leave with an unsaved change?")
    form.get_by_label("Question").fill("WHERE is order 12?")
    form.get_by_label("Reference answer").fill("a")
    for offered in (False, True):
        if offered:
            form.get_by_label("Question").fill("Where is order 13?")
        page.get_by_role("link", name="Cancel").or_(page.get_by_role("link", name="Orders")).first.click()
        expect(question.get_by_role("button", name="Save", exact=True)).to_be_visible(visible=offered)
        if not offered:
            question.get_by_role("button", name="Stay").click()
    question.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="Orders", level=1)).to_be_visible()
    assert CaseRevision.objects.count() == 2


def test_discarding_takes_added_rows_away_again(cast: Cast, dataset: Dataset, page: Page) -> None:
    case_id = add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL).revision.case_id
    page.goto(f"/datasets/{dataset.pk}/?case={case_id}")
    page.get_by_role("link", name="Edit", exact=True).click()
    form = page.locator("#case-form")
    expect(form).not_to_have_attribute("data-dirty", "")
    form.get_by_role("group", name="Check 1").get_by_role("button", name="Remove").click()
    add_check(form, "judge").get_by_label("Criterion").fill("kind")
    expect(form).to_have_attribute("data-dirty", "")
    form.get_by_role("button", name="Discard").click()
    expect(form.locator("[data-check]")).to_have_count(2)
    expect(form.get_by_role("textbox", name="Text", exact=True)).to_have_value("way")
    expect(form).not_to_have_attribute("data-dirty", "")
    form.get_by_label("Reference answer").click()
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)


@pytest.mark.looks
def test_the_form_with_every_kind_of_row_is_accessible(
    cast: Cast, dataset: Dataset, page: Page, live_server: Any
) -> None:
    case_id = add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL).revision.case_id
    page.goto("/datasets/")
    assert_accessible_everywhere(page, f"{live_server.url}/datasets/{dataset.pk}/cases/{case_id}/edit/")


def test_keys_edit_and_save_the_open_case(cast: Cast, page: Page, dataset: Dataset) -> None:
    case_id = add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL).revision.case_id
    page.goto(f"/datasets/{dataset.pk}/?tab=cases&case={case_id}")
    page.keyboard.press("e")
    page.get_by_label("Reference answer").fill("It left today.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved as version 2")).to_be_visible()
    assert CaseRevision.objects.get(case_id=case_id, until=None).reference_answer == "It left today."
