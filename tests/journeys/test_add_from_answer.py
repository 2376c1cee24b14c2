"""Answers become cases in a real browser: from Activity with its warning, from both ratings of the chat (DS-142 on)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from datasets.models import CaseRevision, Dataset
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, QUESTION, make_answer
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("member"), name="Returns")


@pytest.mark.spec("DS-13", "DS-153", "DS-156", "DS-157", "DS-178", "ACC-38", "ACC-39")
def test_from_a_dataset_to_activity_and_back_with_somebody_elses_answer(
    page: Page, live_server: Any, cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast, owner=cast.colleague, earlier=EARLIER)
    page.goto(f"/datasets/{dataset.pk}/")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Add from Activity").click()
    expect(page.get_by_text("Adding answers to Returns")).to_be_visible()
    page.get_by_role("link", name=QUESTION).click()
    page.get_by_role("link", name="Add to dataset").click()
    expect(page.get_by_text("This is a private conversation of Colleague")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("radio", name="With the conversation").check()
    page.get_by_role("button", name="Copy anyway").click()
    expect(page.get_by_text("Added to Returns, version 1.")).to_be_visible()
    page.locator(".added-to").get_by_role("link", name="Returns").click()
    expect(page.get_by_role("heading", name="Where it came from")).to_be_visible()
    revision = CaseRevision.objects.get()
    assert (revision.reference_answer, len(revision.history)) == (ANSWER, 4)
    assert_accessible_everywhere(page, f"{live_server.url}/datasets/answers/{told.message.pk}/add/")


@pytest.mark.spec("DS-143", "DS-145", "DS-146", "DS-148", "DS-152", "DS-161")
def test_both_ratings_of_the_chat_keep_their_answer(page_of: Callable[..., Page], cast: Cast, dataset: Dataset) -> None:
    good, bad = (make_answer(cast, owner=cast.member, earlier=EARLIER) for _each in range(2))
    page = page_of("member")
    page.goto(f"/chat/{good.conversation.pk}/")
    page.locator(f"#thumb-up-{good.message.pk}").click()
    offer = page.locator("form.answer-rated")
    expect(offer.get_by_role("radio", name="Only this question")).to_be_checked()
    offer.get_by_role("button", name="Add to dataset").click()
    expect(page.locator(".added-to").first).to_contain_text("Added to Returns")
    page.goto(f"/chat/{bad.conversation.pk}/")
    page.locator(f"#thumb-down-{bad.message.pk}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("an answer the agent should not give")).to_be_hidden()
    dialog.locator("textarea").fill("Too short")
    dialog.get_by_label("Add this answer to a dataset").check()
    expect(dialog.get_by_text("an answer the agent should not give")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Your rating is stored, and the answer is added to Returns, version 2.")).to_be_visible()
    kept = CaseRevision.objects.order_by("position").values_list("reference_answer", "counter_example", "note")
    assert list(kept) == [(ANSWER, None, None), (None, ANSWER, "Too short")]


@pytest.mark.spec("DS-145", "DS-146")
def test_a_thumb_down_without_the_dataset_it_needs_is_asked_for_one(
    page_of: Callable[..., Page], cast: Cast, dataset: Dataset
) -> None:
    create_dataset(cast.actor("member"), name="Another")
    bad = make_answer(cast, owner=cast.member)
    page = page_of("member")
    page.goto(f"/chat/{bad.conversation.pk}/")
    page.locator(f"#thumb-down-{bad.message.pk}").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("textarea").fill("Too short")
    dialog.get_by_label("Add this answer to a dataset").check()
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_text("Choose a dataset.")).to_be_visible()
    expect(dialog.locator("textarea")).to_have_value("Too short")
    assert_accessible(page)
    dialog.get_by_role("combobox").click()
    dialog.get_by_role("option", name="Another").click()
    dialog.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Your rating is stored, and the answer is added to Another, version 1.")).to_be_visible()


@pytest.mark.spec("ACC-D25", "ACC-D13")
def test_an_open_case_closes_with_the_reason_when_its_words_are_hidden(
    page_of: Callable[..., Page], cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast, owner=cast.member)
    page = page_of("member")
    page.goto(f"/datasets/answers/{told.message.pk}/add/")
    page.get_by_role("button", name="Add to dataset").click()
    expect(page.get_by_role("heading", name="Where it came from")).to_be_visible()
    page.clock.install()
    page.reload()
    expect(page.get_by_role("heading", name="Where it came from")).to_be_visible()
    told.conversation.delete()
    page.clock.fast_forward(31_000)
    expect(page.get_by_text("The case was closed: what you may read of it has changed.")).to_be_visible()
    expect(page.get_by_role("heading", name="Where it came from")).to_be_hidden()
