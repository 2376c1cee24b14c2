"""Naming, sharing and deleting a conversation: by whose it is (PL-30, ACC-41, ACC-42)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, Visibility
from activity.models import Conversation, Feedback, Message, Run
from datasets.models import Case
from datasets.operations.answers import add_case_from_answer
from datasets.operations.datasets import create_dataset
from tests.activity.talks import answered, make_conversation
from tests.cast import Cast

SignIn = Callable[[str], Client]
ROLES = ("owner", "admin", "builder", "operator", "member", "viewer")
RENAME, SHARE, DELETE = "conversation_rename", "conversation_visibility", "conversation_delete"
HTMX = {"HX-Request": "true"}


def ask(client: Client, method: str, name: str, conversation_id: Any, data: Any = None, **headers: str) -> Any:
    there = reverse(name, args=[conversation_id])
    return client.get(there) if method == "GET" else client.post(there, data or {}, headers=headers)


@pytest.mark.spec("PL-30", "BC-46")
@pytest.mark.parametrize(
    ("method", "name", "data"),
    [
        ("GET", RENAME, {}),
        ("POST", RENAME, {"title": "Mine"}),
        ("POST", SHARE, {"visibility": "organisation"}),
        ("GET", DELETE, {}),
        ("POST", DELETE, {}),
    ],
)
@pytest.mark.parametrize("visibility", list(Visibility))
def test_each_role_gets_what_its_place_allows_in_anothers_conversation(
    cast: Cast, sign_in: SignIn, method: str, name: str, data: Any, visibility: str
) -> None:
    shared = visibility == Visibility.ORGANISATION
    for role in ROLES:
        conversation = make_conversation(cast.colleague, visibility=visibility)
        sees = shared or role in ("owner", "admin", "builder", "operator")
        allowed = name == DELETE and role in ("owner", "admin")
        status = ask(sign_in(role), method, name, conversation.pk, data).status_code
        assert status in ((200, 302) if allowed else (403,) if sees else (404,)), (role, status)


def test_another_organisation_is_told_what_a_missing_one_is(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member, visibility=Visibility.ORGANISATION)
    client = sign_in("stranger")
    for method, name in [("GET", RENAME), ("POST", RENAME), ("POST", SHARE), ("GET", DELETE), ("POST", DELETE)]:
        there, missing = (ask(client, method, name, one) for one in (conversation.pk, uuid4()))
        assert (there.status_code, there.content) == (404, missing.content)


def test_a_conversation_is_renamed(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    client = sign_in("member")
    assert "<html" not in client.get(reverse(RENAME, args=[conversation.pk]), headers=HTMX).content.decode()
    assert ask(client, "POST", RENAME, conversation.pk, {"title": " Kettles  at home "}).status_code == 302
    conversation.refresh_from_db()
    assert (conversation.title, conversation.title_folded) == ("Kettles at home", "kettles at home")
    assert AuditEntry.objects.get(action="conversation.changed").details == {"fields": ["title"]}


@pytest.mark.parametrize("title", ["", "x" * 201])
def test_a_title_that_is_none_is_refused_in_the_form(cast: Cast, sign_in: SignIn, title: str) -> None:
    conversation = make_conversation(cast.member)
    assert ask(sign_in("member"), "POST", RENAME, conversation.pk, {"title": title}, **HTMX).status_code == 422
    conversation.refresh_from_db()
    assert conversation.title == "A question about kettles"


def test_sharing_lets_others_read_and_taking_it_back_ends_that(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    there = reverse("conversation", args=[conversation.pk])
    mine, theirs = sign_in("member"), sign_in("viewer")
    assert theirs.get(there).status_code == 404
    shared = mine.post(reverse(SHARE, args=[conversation.pk]), {"visibility": "organisation"}, follow=True)
    assert "can read this conversation now" in shared.content.decode()
    assert theirs.get(there).status_code == 200
    mine.post(reverse(SHARE, args=[conversation.pk]), {"visibility": "private"})
    assert theirs.get(there).status_code == 404
    changes = AuditEntry.objects.filter(action="conversation.visibility_changed").order_by("pk")
    assert [entry.details["after"] for entry in changes] == ["organisation", "private"]


def test_a_visibility_that_is_none_is_refused(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    assert ask(sign_in("member"), "POST", SHARE, conversation.pk, {"visibility": "world"}).status_code == 422


def test_the_dialog_says_in_numbers_what_goes(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    message = answered(conversation)[1]
    Feedback.objects.create(message=message, rating="up")
    shown = sign_in("member").get(reverse(DELETE, args=[conversation.pk]), headers=HTMX).content.decode()
    for words in ("2 messages", "1 run with its steps", "1 rating with its comment", "lose their link"):
        assert words in shown


@pytest.mark.spec("ACC-41", "ACC-42", "ACC-43")
def test_deleting_takes_all_of_it_and_leaves_cases_without_their_links(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    message = answered(conversation)[1]
    kept = answered(make_conversation(cast.member, conversation.agent))[1]
    dataset = create_dataset(cast.actor("member"), name="Kettles")
    wanted = {"dataset_id": dataset.pk, "message_id": message.pk, "keep_as": "reference_answer"}
    add_case_from_answer(cast.actor("member"), **wanted)
    answer = ask(sign_in("member"), "POST", DELETE, conversation.pk, {})
    assert (answer.status_code, answer["Location"]) == (302, reverse("chat"))
    assert not Conversation.objects.filter(pk=conversation.pk).exists()
    assert set(Message.objects.values_list("conversation", flat=True)) == {kept.conversation_id}
    assert Run.objects.count() == 1
    left = Case.objects.get()
    assert (left.run, left.conversation, left.message) == (None, None, None)
    entry = AuditEntry.objects.get(action="conversation.deleted")
    assert entry.details == {"messages": 2, "runs": 1}
    assert "dishwasher" not in str(vars(entry))


def test_whoever_looks_after_personal_data_deletes_anothers_and_goes_home(cast: Cast, sign_in: SignIn) -> None:
    conversation = make_conversation(cast.member)
    answer = ask(sign_in("admin"), "POST", DELETE, conversation.pk, {})
    assert (answer.status_code, answer["Location"]) == (302, reverse("home"))
    assert not Conversation.objects.exists()
