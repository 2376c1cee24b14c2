"""Scores in a real browser: a run is scored from its menu, waited for, and read among the results (SC-154, RV-12)."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from datasets.models import CaseRevision
from scoring.models import Score
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere
from tests.scoring.scored import ANSWER, CASE, Scene, grade

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.mark.spec("SC-43", "SC-154", "SC-155", "SC-157", "RV-2", "RV-5", "RV-12")
def test_a_run_is_scored_from_its_menu_and_read_among_the_results(page: Page, live_server: Any, cast: Cast) -> None:
    scene = Scene(cast)
    grade(scene.score("No returns."))
    scene.run()
    page.goto("/activity/")
    page.get_by_role("link", name=CASE.input).first.click()
    page.locator("#panel").get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Score against a case").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name=CASE.input)).to_be_checked()
    assert_accessible(page)
    dialog.get_by_role("button", name="Score", exact=True).click()
    expect(dialog.get_by_text("Waiting")).to_be_visible()
    grade(Score.objects.get(state="waiting"))
    expect(dialog.get_by_text("Passed").first).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("link", name="Open in Results").click()
    panel = page.locator("#panel")
    expect(panel.get_by_text(ANSWER)).to_be_visible()
    expect(page.locator(".review-table tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Outcome").click()
    page.get_by_role("checkbox", name="Failed").check()
    expect(page.locator(".review-table tbody tr")).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator("[data-row-link]").click()
    expect(panel.get_by_text("No returns.")).to_be_visible()
    expect(panel.get_by_role("heading", name="Checks")).to_be_visible()
    assert "outcome=fail" in page.url
    assert_accessible_everywhere(page, page.url)


@pytest.mark.spec("SC-157", "SC-158", "SC-159", "SC-160")
def test_the_answer_of_a_run_is_added_as_a_case_and_scored(page: Page, live_server: Any, cast: Cast) -> None:
    scene = Scene(cast)
    run = scene.score_of(scene.run()).run
    assert run is not None
    page.goto(f"/activity/{run.pk}/score/")
    CaseRevision.objects.update(question_hash="other")
    page.reload()
    expect(page.get_by_text("No dataset has a case that asks the same.")).to_be_visible()
    offer = page.get_by_role("button", name="Copy anyway").or_(page.get_by_role("button", name="Add as a case"))
    expect(offer).to_be_visible()
    page.get_by_role("radio", name=CASE.input).check()
    expect(offer).to_be_hidden()
    assert_accessible_everywhere(page, f"{live_server.url}/activity/{run.pk}/score/")
    page.goto(f"/activity/{run.pk}/")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Score against a case").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("nothing like it")
    expect(dialog.get_by_text("No other case fits the search.")).to_be_visible()
    dialog.get_by_role("button", name="Copy anyway").or_(dialog.get_by_role("button", name="Add as a case")).click()
    expect(page.get_by_text("Added to Returns, version 2.")).to_be_visible()
    expect(dialog.get_by_text("Asks the same", exact=True)).to_be_visible()
    expect(dialog.get_by_role("radio", name=CASE.input).first).to_be_checked()
