"""The review of answers in a real browser: a queue worked through by keys alone, and a note that is not saved."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Member
from datasets.logic.drafts import CaseDraft
from review.models import Decision, Stay
from review.operations.sending import send_to_review
from scoring.models import Score
from scoring.operations.grading import grade_scores
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere
from tests.scoring.scored import CHECK, Scene

pytestmark = [pytest.mark.journey, pytest.mark.every_database, pytest.mark.django_db(transaction=True)]
MANY = 20
NOTE = "The period is named, the address is not."


def waiting_answers(cast: Cast, count: int) -> Scene:
    """So many answers that wait, each to a case of its own; every second one passed the check."""
    scene = Scene(cast)
    scores = []
    for number in range(count):
        case_id = scene.add(CaseDraft(input=f"Question {number}?", checks=(CHECK,)))
        scores.append(scene.score("Within 30 days." if number % 2 else "Never.", case_id=case_id).pk)
    assert grade_scores(scores) == []
    send_to_review(cast.actor("builder"), dataset_id=scene.dataset.pk, score_ids=scores)
    return scene


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


@pytest.mark.spec("RV-12", "RV-13", "RV-14", "RV-25", "RV-56", "RV-D9", "RV-D10", "RV-D31")
def test_twenty_waiting_answers_are_worked_through_without_a_mouse(page: Page, live_server: Any, cast: Cast) -> None:
    scene = waiting_answers(cast, MANY)
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results&view=review&sort=waiting_first")
    rows, panel, decision = page.locator("tr[data-row]"), page.locator("#panel"), page.locator("#decision")
    expect(rows).to_have_count(MANY)
    order = rows.evaluate_all("rows => rows.map(row => row.dataset.rowId)")
    keys(page, "j", "Enter")
    for number, score_id in enumerate(order):
        expect(panel).to_have_attribute("data-panel-row", score_id)
        if number == 1:
            keys(page, "n")
            page.keyboard.type(NOTE)
            keys(page, "Escape")
        keys(page, "f" if number % 2 else "p")
        expect(decision.get_by_text("Decided: Fail" if number % 2 else "Decided: Pass")).to_be_visible()
        expect(page.locator(f"#outcome-{score_id}")).to_contain_text("Decided")
        if number == 1:
            assert_accessible(page)
            expect(page.get_by_label("Note")).to_have_value(NOTE)
        keys(page, "w" if number % 3 else "j")
    assert rows.evaluate_all("rows => rows.map(row => row.dataset.rowId)") == order
    assert not Stay.objects.filter(left_at=None).exists()
    assert set(Score.objects.values_list("decided", flat=True)) == {"pass", "fail"}
    keys(page, "u")
    expect(decision.get_by_text("Waiting for review")).to_be_visible()
    expect(page.locator(f"#outcome-{order[-1]}")).to_contain_text("Waiting")
    keys(page, "?")
    expect(page.get_by_role("dialog").get_by_text("Undo or withdraw the decision")).to_be_visible()
    keys(page, "Escape", "Escape")
    expect(panel).to_be_hidden()
    assert_accessible_everywhere(page, f"{live_server.url}/datasets/{scene.dataset.pk}/scores/{order[1]}/")


@pytest.mark.spec("RV-15", "RV-16", "RV-D15", "RV-D16", "RV-D31")
def test_an_unsaved_note_is_asked_about_kept_nowhere_and_dropped_with_the_answer(
    page_of: Any, live_server: Any, cast: Cast
) -> None:
    scene, page = waiting_answers(cast, 2), page_of("builder")
    page.goto(f"/datasets/{scene.dataset.pk}/?tab=results&view=review")
    panel, note, asked = page.locator("#panel"), page.get_by_label("Note"), page.get_by_role("dialog")
    expect(page.locator("tr[data-row]")).to_have_count(2)
    keys(page, "j", "Enter")
    expect(panel).to_be_visible()
    keys(page, "n")
    page.keyboard.type(NOTE)
    kept = "JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"
    assert NOTE not in page.evaluate(kept)
    keys(page, "Escape", "j")
    expect(asked.get_by_text("Leave with an unsaved change?")).to_be_visible()
    expect(asked.get_by_role("button", name="Save as pass")).to_be_visible()
    asked.get_by_role("button", name="Stay").click()
    expect(note).to_have_value(NOTE)
    keys(page, "Enter")
    asked.get_by_role("button", name="Save as fail").click()
    expect(page.locator("tr[data-row]").first).to_contain_text("Decided")
    expect(note).to_have_value("")
    keys(page, "k")
    expect(note).to_have_value(NOTE)
    keys(page, "p")
    expect(page.get_by_text("Decided: Pass.")).to_be_visible()
    keys(page, "u")
    expect(page.get_by_text("The decision was withdrawn. The answer waits for review again.")).to_be_visible()
    expect(note).to_have_value(NOTE)
    keys(page, "p")
    expect(page.get_by_text("Decided: Pass.")).to_be_visible()
    assert Decision.objects.order_by("number").last().note == NOTE
    Member.objects.filter(pk=cast.builder.pk).update(role="viewer")
    keys(page, "n")
    page.keyboard.type(" And more.")
    keys(page, "Escape", "f")
    expect(panel).to_be_hidden()
    expect(page.get_by_text("What you may read of this answer has changed, so it was closed.")).to_be_visible()
    assert NOTE not in page.content() + page.evaluate(kept)
