"""Thumbs in the console: the confirmation, the dialog, and what is done besides, in a write of its own (DS-142 on)."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Visibility
from activity import places
from activity.models import Feedback, Message
from activity.places import RatingCompanion, Told
from core.errors import Conflict
from core.limits import LIMITS
from tests.activity.talks import answered, make_conversation
from tests.cast import Cast

SignIn = Callable[[str], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def companions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was done besides a rating, and by which function: the first item is asked for it."""
    done: list[Any] = [lambda message: Told("Added to Kettles.", "pass")]

    def after(actor: Any, message: Message, posted: Any) -> Told | None:
        done.append((Feedback.objects.get().comment, posted.get("add")))
        return done[0](message) if posted.get("add") else None

    monkeypatch.setattr(places, "_companions", {})
    monkeypatch.setattr(places, "_controls", {})
    places.add_companion(RatingCompanion("answer_rated", lambda actor: True, after))
    return done


def rate(client: Client, message: Message, *, htmx: bool = True, **given: str) -> Any:
    return client.post(reverse("answer_rating", args=[message.pk]), given, headers=HTMX if htmx else {})


def shown_message(answer: Any) -> Any:
    return json.loads(answer["HX-Trigger"]).get("message-shown")


@pytest.mark.spec("DS-143", "DS-144")
def test_a_thumb_up_is_stored_at_once_and_offers_for_ten_seconds_what_may_be_done(
    cast: Cast, sign_in: SignIn, companions: list[Any]
) -> None:
    message = answered(make_conversation(cast.member))[1]
    shown = rate(sign_in("member"), message, rating="up").content.decode()
    assert Feedback.objects.get().rating == "up"
    assert 'data-goes-after="10"' in shown
    assert f"{reverse('answer_rated', args=[message.pk])}?rating=up" in shown
    assert 'aria-pressed="true" aria-label="Good answer"' in shown


def test_pressing_the_thumb_again_takes_it_back(cast: Cast, sign_in: SignIn, companions: list[Any]) -> None:
    message = answered(make_conversation(cast.member))[1]
    client = sign_in("member")
    rate(client, message, rating="up")
    shown = rate(client, message, rating="").content.decode()
    assert not Feedback.objects.exists()
    assert "data-goes-after" not in shown
    assert 'aria-pressed="true"' not in shown


@pytest.mark.spec("DS-145")
def test_a_thumb_down_asks_what_went_wrong_and_what_else_is_wanted(
    cast: Cast, sign_in: SignIn, companions: list[Any]
) -> None:
    message = answered(make_conversation(cast.member))[1]
    there = reverse("answer_rating", args=[message.pk])
    client = sign_in("member")
    dialog = client.get(there, headers=HTMX).content.decode()
    assert "What went wrong?" in dialog
    assert f"{reverse('answer_rated', args=[message.pk])}?rating=down" in dialog
    assert "<html" not in dialog
    assert "<html" in client.get(there).content.decode()
    assert not Feedback.objects.exists()


@pytest.mark.spec("DS-146", "DS-148", "DS-150")
def test_the_rating_is_stored_before_what_is_done_besides(cast: Cast, sign_in: SignIn, companions: list[Any]) -> None:
    message = answered(make_conversation(cast.member))[1]
    answer = rate(sign_in("member"), message, rating="down", comment="Too short.", add="on")
    assert companions[1:] == [("Too short.", "on")]
    assert shown_message(answer) == {"text": "Added to Kettles.", "kind": "pass"}
    assert "dialog-closed" in answer["HX-Trigger"]
    assert answer["HX-Retarget"] == f"#rating-{message.pk}"


@pytest.mark.spec("DS-149", "DS-150")
def test_the_rating_stays_when_what_is_done_besides_is_refused(
    cast: Cast, sign_in: SignIn, companions: list[Any]
) -> None:
    def refuse(message: Message) -> Told:
        raise Conflict("full", "The dataset is full.")

    companions[0] = refuse
    message = answered(make_conversation(cast.member))[1]
    answer = rate(sign_in("member"), message, rating="down", comment="Too short.", add="on")
    told = shown_message(answer)
    assert told["kind"] == "fail"
    assert "Your rating is stored." in told["text"]
    assert "The dataset is full." in told["text"]
    assert Feedback.objects.get().rating == "down"


def test_a_thumb_down_alone_says_that_it_is_stored(cast: Cast, sign_in: SignIn, companions: list[Any]) -> None:
    message = answered(make_conversation(cast.member))[1]
    answer = rate(sign_in("member"), message, rating="down")
    assert shown_message(answer) == {"text": "Your rating is stored.", "kind": "pass"}


def test_a_comment_that_is_too_long_is_said_in_the_dialog(cast: Cast, sign_in: SignIn, companions: list[Any]) -> None:
    message = answered(make_conversation(cast.member))[1]
    long = "x" * (LIMITS.note_characters + 1)
    answer = rate(sign_in("member"), message, rating="down", comment=long)
    assert answer.status_code == 422
    assert long in answer.content.decode()
    assert not Feedback.objects.exists()


def test_without_javascript_the_page_comes_back_to_the_answer(
    cast: Cast, sign_in: SignIn, companions: list[Any]
) -> None:
    message = answered(make_conversation(cast.member))[1]
    client = sign_in("member")
    answer = rate(client, message, htmx=False, rating="down", add="on")
    assert answer["Location"] == f"{reverse('conversation', args=[message.conversation_id])}#rating-{message.pk}"
    assert "Added to Kettles." in client.get(answer["Location"]).content.decode()


@pytest.mark.spec("BC-46")
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_who_talks_gets_to_the_thumbs(cast: Cast, sign_in: SignIn, method: str) -> None:
    private = answered(make_conversation(cast.member))[1]
    shared = answered(make_conversation(cast.member, visibility=Visibility.ORGANISATION))[1]
    statuses = {}
    for name in ("operator", "colleague", "viewer", "stranger"):
        client = sign_in(name)
        ask = getattr(client, method)
        found = [ask(reverse("answer_rating", args=[pk])) for pk in (private.pk, shared.pk, uuid4())]
        statuses[name] = [answer.status_code for answer in found]
        if name == "stranger":
            assert found[0].content == found[1].content == found[2].content
    assert statuses == {
        "operator": [403, 403, 404],
        "colleague": [404, 403, 404],
        "viewer": [404, 403, 404],
        "stranger": [404, 404, 404],
    }
