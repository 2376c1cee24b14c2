"""A test run is started from the dataset's page, once its estimate is on the screen, and stands in the list."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from core import jobs
from evals.models import EvalRun
from tests.cast import Cast
from tests.evals.starts import StartScene
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run stays queued: jobs are taken and forgotten."""
    monkeypatch.setattr(jobs, "_put", lambda *_given: None)


@pytest.mark.spec("EV-1", "EV-2", "EV-4", "EV-17", "EV-D1", "EV-D10", "EV-D36", "EV-D38")
def test_a_test_run_is_started_with_its_estimate_in_sight(
    page_of: Callable[..., Page], cast: Cast, live_server: object
) -> None:
    scene = StartScene(cast, cases=3)
    for days, outcomes in ((9, ("pass", "fail", "fail")), (5, ("pass", "pass", "fail"))):
        run = scene.ended(*outcomes, label=f"{days} days ago")
        EvalRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(days=days))
    page = page_of("builder")
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results")
    expect(page.get_by_role("heading", name="Pass rate of Support")).to_be_visible()
    page.get_by_role("link", name="Test run 2 · 5 days ago").first.focus()
    page.get_by_text("Show as a table").click()
    expect(page.get_by_text("Graded alike, the same cases").last).to_be_visible()
    assert_accessible_everywhere(page, page.url)
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results")
    page.get_by_role("link", name="Run evals").click()
    dialog = page.get_by_role("dialog")
    start = dialog.get_by_role("button", name="Start")
    expect(dialog.get_by_text("3 cases", exact=True)).to_be_visible()
    expect(start).to_be_enabled()
    dialog.get_by_label("Chosen cases").first.check()
    expect(start).to_be_disabled()
    expect(dialog.get_by_text("Choose at least one case.")).to_be_visible()
    dialog.get_by_label("Search questions").fill("question 1")
    expect(dialog.get_by_label("Question 2")).to_have_count(0)
    dialog.get_by_label("Question 1").check()
    expect(dialog.get_by_text("1 case", exact=True)).to_be_visible()
    assert_accessible(page)
    dialog.get_by_label("Label").fill("Only one")
    expect(start).to_be_disabled()
    expect(start).to_be_enabled()
    start.click()
    expect(page.get_by_role("heading", name="Only one")).to_be_visible()
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results")
    row = page.get_by_role("row").filter(has_text="Only one")
    expect(row.get_by_text("Queued")).to_be_visible()
    EvalRun.objects.filter(pk=newest().pk).update(state="cancelled", finished_at=timezone.now())
    expect(row.get_by_text("Cancelled")).to_be_visible()


def newest() -> EvalRun:
    return EvalRun.objects.order_by("number").last() or EvalRun()
