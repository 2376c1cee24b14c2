"""Two test runs side by side in a real browser: filter, open a case, its attempts, and the way back (EV-D44)."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from evals.models import Attempt
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.journeys.axe import assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.mark.spec("EV-D44", "EV-D46")
def test_a_case_is_read_beside_the_list_with_both_answers(page: Page, live_server: Any, cast: Cast) -> None:
    scene = EvalScene(cast, cases=3, tags=[("returns",), ("delivery",)])
    before, after = scene.run("pass", "fail", "pass"), scene.run("fail", "pass", "pass")
    for outcome in ("pass", "pass"):
        scene.attempt(after.items.get(position=0), outcome, kind="confirm")
    for run, answer in ((before, "You have 30 days."), (after, "You have 14 days.")):
        first = Attempt.objects.get(run=run, item__position=0, kind="first")
        Score.objects.filter(pk=first.score_id).update(answer=answer)
    address = f"/evals/{after.pk}/compare/?with={before.pk}"
    page.goto(address)
    page.get_by_role("link", name=re.compile("^Flaky")).click()
    expect(page).to_have_url(re.compile("change=flaky"))
    expect(page.locator("tr[data-row]")).to_have_count(1)
    page.get_by_role("link", name="Question 0").click()
    panel = page.locator("#panel")
    expect(panel.locator("del", has_text="30")).to_be_visible()
    expect(panel.locator("ins", has_text="14")).to_be_visible()
    expect(page).to_have_url(re.compile("change=flaky.*case="))
    panel.get_by_role("link", name=re.compile("^2 ")).click()
    expect(panel.get_by_role("link", name=re.compile("^2 "))).to_have_attribute("aria-current", "true")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    case = scene.revisions[0].case_id
    assert_accessible_everywhere(page, f"{live_server.url}{address}&tag=returns&case={case}")
