"""The card of a graded answer: deciding, undoing, going on, who else looks, and the end of what may be read."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Member
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from review.models import Decision, Stay
from review.operations.deciding import decide
from review.operations.sending import send_to_review
from scoring.models import Score
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, text
from tests.review.test_review_pages import judged
from tests.scoring.scored import CHECK, Scene

SignIn = Callable[[str], Client]
NOTE = "The period is named."


@pytest.fixture
def scene(cast: Cast) -> Scene:
    cache.clear()
    return Scene(cast)


def waiting(scene: Scene, count: int = 1) -> list[Score]:
    """Answers that wait, the one that comes first in the table first."""
    scores = [
        scene.graded("Never.", case_id=scene.add(CaseDraft(input=f"Question {number}?", checks=(CHECK,))))
        for number in range(count)
    ]
    send_to_review(scene.actor("builder"), dataset_id=scene.dataset.pk, score_ids=[one.pk for one in scores])
    return scores[::-1]


def address(name: str, score: Score, query: str = "") -> str:
    return reverse(name, args=[score.dataset_id, score.pk]) + query


def card(client: Client, score: Score, headers: dict[str, str] = PANEL) -> str:
    return text(client.get(address("score", score), headers=headers))


def mark_of(page: str) -> str:
    return page.split('name="mark" value="')[1].split('"')[0]


def refused(response: HttpResponse, status: int) -> str:
    assert response.status_code == status
    return text(response)


def post(client: Client, name: str, score: Score, *, headers: dict[str, str] = PART, **sent: Any) -> HttpResponse:
    return client.post(address(name, score), {"revision": "0", "in_panel": "1", **sent}, headers=headers)


@pytest.mark.spec("RV-12", "RV-13", "RV-14", "RV-25", "RV-53", "RV-54", "RV-55", "RV-56", "RV-D31")
def test_a_decision_changes_card_and_row_at_once_and_its_message_offers_undo(scene: Scene, sign_in: SignIn) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    before = card(client, score)
    assert "Waiting for review" in before
    assert "Sent by a person" in before
    page = text(post(client, "score_decision", score, decision="pass", note=NOTE, mark=mark_of(before)))
    for words in ("Decided: Pass", "decided by a person", "grading found:", NOTE, "against the grading", "Undo"):
        assert words in page
    assert f'id="outcome-{score.pk}"' in page
    assert 'data-message-seconds="10"' in page
    assert "<article" not in page
    score.refresh_from_db()
    assert (score.outcome, score.decided) == ("fail", "pass")
    assert Decision.objects.get().note == NOTE
    assert "Decided: Pass" in card(client, score)


@pytest.mark.spec("RV-15", "RV-57", "RV-58", "RV-D31")
def test_undo_brings_the_note_back_into_the_editor_and_withdraw_does_not(scene: Scene, sign_in: SignIn) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    post(client, "score_decision", score, decision="fail", note=NOTE)
    response = post(client, "score_decision_withdraw", score, revision="1", undo="1")
    page = text(response)
    assert f">{NOTE}</textarea>" in page
    assert "data-unsaved-dirty" in page
    assert "waits for review again" in response["HX-Trigger"]
    assert Stay.objects.filter(left_at=None).count() == 1
    post(client, "score_decision", score, decision="fail", note=NOTE, revision="2")
    page = text(post(client, "score_decision_withdraw", score, revision="3"))
    assert "></textarea>" in page
    assert "withdrew the decision" in page


@pytest.mark.spec("RV-D31", "RV-D6")
def test_undo_of_an_answer_that_is_no_longer_open_opens_its_panel(scene: Scene, sign_in: SignIn) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    post(client, "score_decision", score, decision="fail", note=NOTE)
    response = post(client, "score_decision_withdraw", score, revision="1", undo="1", headers=PANEL)
    page = text(response)
    assert f'data-panel-row="{score.pk}"' in page
    assert f">{NOTE}</textarea>" in page
    assert f"score={score.pk}" in response["HX-Push-Url"]


@pytest.mark.spec("RV-49", "RV-D31")
def test_a_withdrawn_answer_whose_place_is_taken_is_said_to_wait_no_more(scene: Scene, sign_in: SignIn) -> None:
    score, client = scene.graded("Never."), sign_in("builder")
    post(client, "score_decision", score, decision="fail")
    newer = scene.graded("Never ever.")
    send_to_review(scene.actor("builder"), dataset_id=scene.dataset.pk, score_ids=[newer.pk])
    response = post(client, "score_decision_withdraw", score, revision="1")
    assert "Another answer to this case waits in its place" in response["HX-Trigger"]


@pytest.mark.spec("RV-D30")
def test_who_decides_second_sees_the_first_decision_keeps_the_note_and_may_overrule(
    scene: Scene, sign_in: SignIn
) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    decide(scene.actor("owner"), dataset_id=scene.dataset.pk, score_id=score.pk, decision="fail", revision=0)
    response = post(client, "score_decision", score, decision="pass", note=NOTE)
    page = refused(response, 409)
    for words in (
        "Somebody else decided this answer meanwhile.",
        "Decided: Fail",
        "Deciding again overrules it.",
        NOTE,
    ):
        assert words in page
    assert text(post(client, "score_decision", score, decision="pass", note=NOTE, revision="1"))
    score.refresh_from_db()
    assert score.decided == "pass"


@pytest.mark.spec("RV-59", "RV-D32")
def test_a_note_that_is_too_long_is_refused_in_the_card_and_stays_there(scene: Scene, sign_in: SignIn) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    long = "n" * (LIMITS.review_note_characters + 1)
    page = refused(post(client, "score_decision", score, decision="pass", note=long), 422)
    assert long in page
    assert "At most 2000 characters" in page.replace(",", "")
    page = text(
        post(client, "score_decision", score, decision="pass", note="key sk-proj-abcdefghijklmnopqrstuvwx123456")
    )
    assert "1 credential in the note was hidden." in page
    assert "abcdefghijklmnop" not in page


@pytest.mark.spec("RV-16", "RV-D15", "RV-D29")
@pytest.mark.parametrize("headers", [PART, {}])
def test_a_save_with_an_old_mark_is_refused_and_closes_the_card(
    scene: Scene, sign_in: SignIn, headers: dict[str, str]
) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    mark = mark_of(card(client, score))
    Member.objects.filter(pk=scene.cast.builder.pk).update(role="viewer")
    response = post(client, "score_decision", score, decision="pass", note=NOTE, mark=mark, headers=headers)
    assert not Decision.objects.exists()
    if headers:
        assert response.status_code == 409
        assert response["HX-Reswap"] == "none"
        assert "mask-changed" in response["HX-Trigger"]
        assert NOTE not in response.content.decode()
    else:
        assert response.status_code == 302


@pytest.mark.spec("RV-72", "RV-75", "RV-77", "RV-D43")
def test_readers_see_decision_and_status_without_acts_and_the_note_only_with_the_answer(
    scene: Scene, sign_in: SignIn
) -> None:
    (score,) = waiting(scene)
    decide(
        scene.actor("builder"), dataset_id=scene.dataset.pk, score_id=score.pk, decision="pass", note=NOTE, revision=0
    )
    reader = card(sign_in("operator"), score)
    masked = card(sign_in("viewer"), score)
    for page in (reader, masked):
        assert "Decided: Pass" in page
        assert "<textarea" not in page
        assert "Withdraw" not in page
    assert NOTE in reader
    assert NOTE not in masked
    assert "shown only to those who may read the answer" in masked


@pytest.mark.spec("RV-27", "RV-52")
def test_an_answer_is_sent_to_review_and_taken_out_from_its_card(scene: Scene, sign_in: SignIn) -> None:
    score, client = scene.graded("Never."), sign_in("builder")
    assert "Send to review" in card(client, score)
    response = post(client, "score_queue", score)
    assert "Take out of review" in text(response)
    assert "1 answer waits for review now." in response["HX-Trigger"]
    assert "Send to review" in text(post(client, "score_queue", score, out="1"))
    assert post(client, "score_queue", score, headers={}).url.startswith(address("score", score))


@pytest.mark.spec("RV-D10")
def test_next_waiting_goes_through_the_queue_in_the_order_of_the_table(scene: Scene, sign_in: SignIn) -> None:
    first, second, third = waiting(scene, 3)
    client = sign_in("builder")

    def after(score: Score, query: str = "", headers: dict[str, str] = PANEL) -> HttpResponse:
        return client.get(address("score_next", score, query), headers=headers)

    for query in ("", "?sort=waiting_first"):
        for here, there in ((first, second), (second, third), (third, first)):
            response = after(here, query)
            assert f'data-panel-row="{there.pk}"' in text(response)
            assert f"score={there.pk}" in response["HX-Push-Url"]
    assert after(first, headers={}).url.startswith(address("score", second))
    Stay.objects.exclude(score=second).delete()
    response = after(second)
    assert response.status_code == 204
    assert "Nothing else is waiting" in response["HX-Trigger"]
    assert "Next waiting" not in card(client, second)
    assert after(third, "?outcome=pass").status_code == 204
    assert after(second, headers={}).url.startswith(address("score", second))


@pytest.mark.spec("RV-D35")
def test_who_has_the_answer_open_now_is_shown_to_others(scene: Scene, sign_in: SignIn) -> None:
    one, other = waiting(scene, 2)
    builder, owner = sign_in("builder"), sign_in("owner")
    page = card(builder, one)
    assert "is looking at this answer now" not in page
    assert f"{scene.cast.builder} is looking at this answer now." in card(owner, one)
    mask = address("score_mask", one, f"?card=1&mark={mark_of(page)}")
    assert f"{scene.cast.owner} is looking" in text(builder.get(mask))
    card(owner, other)
    assert builder.get(mask).status_code == 204
    assert builder.get(mask.replace("mark=", "mark=0")).status_code == 205


@pytest.mark.spec("RV-D15")
def test_the_table_learns_that_what_may_be_read_has_changed(scene: Scene, sign_in: SignIn) -> None:
    waiting(scene, 2)
    client = sign_in("operator")
    page = text(client.get(reverse("review_answers", args=[scene.dataset.pk]), headers=PART))
    mask = page.split('data-table-watch="')[1].split('"')[0].replace("&amp;", "&")
    assert client.get(mask).status_code == 204
    Member.objects.filter(pk=scene.cast.operator.pk).update(role="viewer")
    assert client.get(mask).status_code == 205


@pytest.mark.spec("RV-12")
def test_the_card_works_as_a_page_of_its_own(scene: Scene, sign_in: SignIn) -> None:
    (score,), client = waiting(scene), sign_in("builder")
    page = card(client, score, headers={})
    assert 'id="decision-form"' in page
    assert 'name="in_panel"' not in page
    response = client.post(address("score_decision", score), {"decision": "pass", "revision": "0"}, follow=True)
    assert "Decided: Pass." in text(response)
    changed = client.post(address("score_decision", score), {"decision": "fail", "revision": "0"}, follow=True)
    assert "Somebody else decided this answer meanwhile." in text(changed)


def test_the_card_takes_few_queries(scene: Scene, sign_in: SignIn) -> None:
    score, client = judged(scene), sign_in("builder")
    card(client, score)
    with CaptureQueriesContext(connection) as queries:
        card(client, score)
    assert len(queries) <= 23, [query["sql"][:160] for query in queries]


def test_an_answer_of_another_dataset_is_not_there(scene: Scene, sign_in: SignIn) -> None:
    (score,) = waiting(scene)
    other = Scene(scene.cast)
    for name in ("score_decision", "score_decision_withdraw", "score_queue"):
        found = sign_in("builder").post(reverse(name, args=[other.dataset.pk, score.pk]), {"decision": "pass"})
        assert found.status_code == 404, name
