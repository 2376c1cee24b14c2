"""From the dashboard to an answer that waits, and from the note on it to a criterion (RV-62 to RV-70)."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from review.operations.deciding import decide
from review.operations.sending import send_to_review
from scoring.queries.settings import settings_of
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere
from tests.scoring.scored import CASE, Scene

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]
WORDS = "Does the answer name the receipt?"


@pytest.mark.spec("RV-62", "RV-64", "RV-65", "RV-66", "RV-68", "RV-D36", "RV-D38", "RV-D39")
def test_what_waits_is_found_and_its_note_becomes_a_criterion(page: Page, live_server: Any, cast: Cast) -> None:
    scene = Scene(cast)
    decided, waiting = scene.graded("No returns."), scene.graded("Never.", case_id=scene.add(CASE))
    owner, note = scene.actor("owner"), "The answer should name the receipt"
    send_to_review(owner, dataset_id=scene.dataset.pk, score_ids=[waiting.pk])
    decide(owner, dataset_id=scene.dataset.pk, score_id=decided.pk, decision="fail", note=note, revision=0)
    page.goto("/")
    card = page.get_by_role("region", name="Waiting for review")
    expect(card.get_by_text("1 waiting")).to_be_visible()
    assert_accessible_everywhere(page, f"{live_server.url}/dashboard/")
    card.get_by_role("link", name="Returns").click()
    expect(page.locator(".review-table tbody tr")).to_have_count(2)

    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results&view=review&score={decided.pk}")
    page.get_by_role("link", name="Make a criterion").click()
    dialog = page.get_by_role("dialog", name="Make a criterion")
    expect(dialog.get_by_label("Criterion", exact=True)).to_have_value(note)
    expect(dialog.get_by_text("The judge is off")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Use this wording").click()
    expect(dialog.get_by_label("Criterion", exact=True)).to_have_value(WORDS)
    dialog.get_by_label("Every case").check()
    expect(dialog.get_by_text("turns the judge on")).to_be_visible()
    expect(dialog.get_by_text("The judge is off")).to_be_hidden()
    dialog.get_by_role("button", name="Add criterion").click()
    made = page.get_by_role("dialog", name="Criterion added")
    expect(made.get_by_role("button", name="Score this answer anew")).to_be_visible()
    assert_accessible(page)
    made.get_by_role("button", name="Done").click()
    expect(page.locator("#panel").get_by_role("link", name="Became a criterion")).to_be_visible()
    assert [one.criterion for one in settings_of(scene.dataset).settings.criteria] == [WORDS]
