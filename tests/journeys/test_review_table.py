"""The table of the review in a browser: several values of a filter, choosing, sending, on a wide page and a narrow."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Score
from tests.cast import Cast
from tests.journeys.axe import assert_accessible
from tests.scoring.scored import CASE, Scene


@pytest.mark.journey
@pytest.mark.spec("RV-5", "RV-D7", "RV-D8", "RV-9")
def test_answers_are_filtered_chosen_and_sent_with_the_menu_open(page: Page, cast: Cast) -> None:
    scene = Scene(cast)
    failed, passed = scene.graded("No."), scene.graded()
    copies = [Score(**{**_values(failed), "created_at": failed.created_at}) for _number in range(55)]
    Score.objects.bulk_create(copies)
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results&view=review")
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(50)
    page.locator("[popovertarget=filter-tag]").click()
    expect(page.get_by_label(CASE.tags[0])).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("[popovertarget=filter-outcome]").click()
    page.get_by_label("Unscored").check()
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    page.get_by_label("Passed").check()
    expect(rows).to_have_count(1)
    expect(page.locator("#filter-outcome-words")).to_have_text("Passed, Unscored")
    expect(page.locator(f"[data-row-id='{passed.pk}']")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Passed").uncheck()
    page.get_by_label("Unscored").uncheck()
    page.get_by_label("Failed").check()
    expect(rows).to_have_count(50)
    page.keyboard.press("Escape")
    page.get_by_label("Select all answers on this page").check()
    expect(page.get_by_text("50 answers selected")).to_be_visible()
    page.get_by_role("button", name="Select all 56 that match").click()
    expect(page.get_by_text("All 56 answers that match are selected")).to_be_visible()
    page.get_by_role("button", name="Send to review").click()
    expect(page.get_by_text("1 answer waits for review now.")).to_be_visible()
    expect(page.locator(".review-badge")).to_have_count(1)
    page.set_viewport_size({"width": 390, "height": 800})
    page.locator("[data-selection-one]").first.check()
    expect(page.get_by_role("button", name="Take out of review")).to_be_visible()
    assert_accessible(page)


def _values(score: Score) -> dict[str, object]:
    names = [field.attname for field in Score._meta.concrete_fields if field.name not in ("id", "final")]
    return {name: getattr(score, name) for name in names}
