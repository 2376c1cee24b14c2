"""A test run in a real browser: watched while it is at work, then read case by case (EV-D18, EV-6)."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from evals.models import Attempt, EvalRun
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.evals.test_run_pages import FAILED
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.every_database, pytest.mark.django_db(transaction=True)]


@pytest.mark.spec("EV-D18", "EV-D33", "EV-D37", "EV-6", "EV-D44")
def test_a_run_is_watched_until_it_ends_and_read_case_by_case(page: Page, live_server: Any, cast: Cast) -> None:
    scene = EvalScene(cast, cases=4, tags=[("returns",), ("returns",)])
    before = scene.run("pass", "pass", "fail")
    run = scene.run("fail", state="running", baseline=before)
    Attempt.objects.filter(run=run).update(done_at=timezone.now(), seconds=2)
    page.goto(f"/evals/{run.pk}/")
    expect(page.get_by_text("1 of 1").first).to_be_visible()
    expect(page.get_by_role("link", name="Question 0")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Question 0").click()
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Case")).to_be_visible()

    for revision, outcome in zip(scene.revisions[1:], ("pass", "fail"), strict=False):
        scene.attempt(scene.item(run, revision), outcome)
    first = run.items.order_by("position")[0]
    for _turn in range(2):
        scene.attempt(first, "fail", kind="confirm")
    Score.objects.filter(attempt__item=first).update(results=FAILED, answer="We take nothing back.")
    EvalRun.objects.filter(pk=run.pk).update(state="completed", finished_at=timezone.now())

    # The page turns into the finished one by itself, and what was open beside it stays.
    expect(page.get_by_role("heading", name="Pass rate").or_(page.get_by_text("Pass rate"))).to_be_visible()
    expect(panel.get_by_role("heading", name="Case")).to_be_visible()
    row = page.locator("#cases tr[data-row]")
    expect(row).to_have_count(1)
    row.get_by_role("link").click()
    expect(panel.get_by_text("We take nothing back.")).to_be_visible()
    expect(panel.get_by_text("0 of 3 passed")).to_be_visible()
    panel.get_by_role("link", name="Attempt 3, confirming").click()
    expect(panel.locator("[aria-current]")).to_contain_text("Attempt 3")
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("navigation", name="Which cases").get_by_role("link", name="Passed").click()
    expect(row).to_have_count(1)
    expect(row.get_by_role("link", name="Question 1")).to_be_visible()
    page.get_by_label("Tag").select_option("Untagged")
    expect(page.get_by_text("No case of this run fits the filters.")).to_be_visible()
    assert_accessible_everywhere(page, f"{live_server.url}/evals/{run.pk}/?show=all")
    page.goto(f"/evals/{run.pk}/?tab=evaluators")
    assert_accessible(page)
    page.goto(f"/evals/{run.pk}/?tab=configuration")
    assert_accessible(page)
