"""Conversations through the API: listing, reading, asking, sharing, deleting, rating (PL-30, PL-40 to PL-42)."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import Visibility
from activity.models import Conversation, Feedback, Message, Run
from agents.models import Agent
from core.limits import LIMITS
from tests.activity.talks import STEPS, answered, make_agent, make_conversation, say
from tests.agents.provider_server import FakeProvider, error
from tests.api.clients import client_of
from tests.cast import Cast


def titles(listed: Any) -> list[str]:
    return [row["title"] for row in listed.json()["results"]]


@pytest.mark.spec("PL-40", "PL-42", "ACC-22")
@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("member", ["shared", "own private"]),
        ("colleague", ["shared"]),
        ("viewer", ["shared"]),
        ("operator", ["shared", "own private"]),
        ("stranger", []),
    ],
)
def test_a_list_has_what_the_caller_may_open(cast: Cast, name: str, seen: list[str]) -> None:
    agent = make_agent(cast.owner)
    make_conversation(cast.member, agent, title="own private")
    make_conversation(cast.member, agent, title="shared", visibility=Visibility.ORGANISATION)
    assert titles(client_of(cast.members[name]).get("/conversations")) == seen


def test_a_list_is_found_through_and_paged(cast: Cast) -> None:
    agent, other = make_agent(cast.owner), make_agent(cast.owner, "Other")
    for title in ("Żółta łódź", "A kettle"):
        make_conversation(cast.member, agent, title=title)
    make_conversation(cast.member, other, title="Elsewhere")
    api = client_of(cast.member)
    assert titles(api.get("/conversations?q=zolta")) == ["Żółta łódź"]
    assert titles(api.get(f"/conversations?agent={other.pk}")) == ["Elsewhere"]
    first = api.get("/conversations?page_size=2").json()
    assert [row["title"] for row in first["results"]] == ["Elsewhere", "A kettle"]
    assert titles(api.get("/conversations?" + first["next"].partition("?")[2])) == ["Żółta łódź"]


def test_a_conversation_is_read_with_its_messages(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    steps = say(conversation, *STEPS)
    Feedback.objects.create(message=steps[3], rating="up", comment="Good.")
    read = client_of(cast.member).get(f"/conversations/{conversation.pk}").json()
    assert (read["id"], read["owner"]["id"], read["visibility"], read["earlier"]) == (
        str(conversation.pk),
        str(cast.member.pk),
        "private",
        False,
    )
    assert [message["role"] for message in read["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert read["messages"][2]["outcome"] == "ok"
    assert read["messages"][3]["feedback"][0]["comment"] == "Good."


def test_a_long_conversation_comes_in_pages_the_newest_messages_with_itself(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    say(conversation, *[("user", f"{number}") for number in range(LIMITS.page_size_max + 1)])
    api = client_of(cast.member)
    read = api.get(f"/conversations/{conversation.pk}").json()
    assert (read["messages"][0]["content"], len(read["messages"]), read["earlier"]) == ("1", LIMITS.page_size_max, True)
    page = api.get(f"/conversations/{conversation.pk}/messages?page_size=3").json()
    assert [message["content"] for message in page["results"]] == ["0", "1", "2"]
    assert page["next"]


@pytest.mark.spec("PL-30", "PL-40")
def test_a_first_question_is_answered_before_the_reply(cast: Cast, talking_agent: Agent) -> None:
    asked = {"agent": str(talking_agent.pk), "input": "Where is my order?"}
    made = client_of(cast.member).post("/conversations", asked)
    assert made.status_code == 201, made.content
    body = made.json()
    conversation = Conversation.objects.get()
    assert made["Location"] == f"/api/v1/conversations/{conversation.pk}"
    assert (body["conversation"]["title"], body["conversation"]["visibility"]) == ("Where is my order?", "private")
    assert (body["run"]["status"], body["run"]["error"]) == ("completed", "")
    assert [(message["role"], message["content"]) for message in body["messages"]] == [
        ("user", "Where is my order?"),
        ("assistant", "It was **sent** on Monday."),
    ]


def test_a_next_question_goes_on_with_what_was_said(cast: Cast, talking_agent: Agent, provider: FakeProvider) -> None:
    conversation = make_conversation(cast.member, talking_agent)
    answered(conversation)
    made = client_of(cast.member).post(f"/conversations/{conversation.pk}/messages", {"input": "And the base?"})
    assert made.status_code == 201
    assert [message["content"] for message in made.json()["messages"]] == [
        "And the base?",
        "It was **sent** on Monday.",
    ]
    assert "Only the lid." in [message["content"] for message in provider.asked[0]["messages"]]


def test_an_answer_that_fails_says_so_in_its_run(cast: Cast, talking_agent: Agent, provider: FakeProvider) -> None:
    provider.answers[:] = [error(401, "Wrong key.")]
    asked = {"agent": str(talking_agent.pk), "input": "Where is my order?"}
    body = client_of(cast.member).post("/conversations", asked).json()
    assert body["run"]["status"] == "failed"
    assert body["run"]["error"]
    assert "k-384758437" not in str(body)


@pytest.mark.spec("PL-42")
def test_a_question_sent_twice_with_its_key_is_asked_once(
    cast: Cast, talking_agent: Agent, provider: FakeProvider
) -> None:
    api, asked = client_of(cast.member), {"agent": str(talking_agent.pk), "input": "Where is my order?"}
    first, again = (api.post("/conversations", asked, idempotency_key="one") for _ in range(2))
    assert again["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()
    assert (Conversation.objects.count(), len(provider.asked)) == (1, 1)
    other = api.post("/conversations", asked | {"input": "Another?"}, idempotency_key="one")
    assert other.status_code == 422
    assert len(provider.asked) == 1


def test_nothing_is_told_again_of_a_conversation_out_of_sight(
    cast: Cast, talking_agent: Agent, provider: FakeProvider
) -> None:
    conversation = make_conversation(cast.member, talking_agent)
    api, there = client_of(cast.member), f"/conversations/{conversation.pk}/messages"
    assert api.post(there, {"input": "Hm?"}, idempotency_key="one").status_code == 201
    Conversation.objects.update(owner=cast.colleague)
    assert api.post(there, {"input": "Hm?"}, idempotency_key="one").status_code == 404
    assert len(provider.asked) == 1


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"input": "Hi"}, "agent"),
        ({"agent": str(uuid4())}, "input"),
        ({"agent": "x", "input": "Hi"}, "agent"),
        ({"agent": str(uuid4()), "input": 5}, "input"),
        ({"agent": str(uuid4()), "input": "x" * (LIMITS.chat_characters + 1)}, "input"),
        ({"agent": str(uuid4()), "input": "Hi", "more": 1}, "more"),
    ],
)
def test_a_body_that_is_none_is_refused_with_its_place(cast: Cast, body: Any, field: str) -> None:
    refused = client_of(cast.member).post("/conversations", body)
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == [field]


def test_an_empty_question_is_refused_and_leaves_no_conversation(cast: Cast) -> None:
    asked = {"agent": str(make_agent(cast.owner).pk), "input": "  "}
    refused = client_of(cast.member).post("/conversations", asked)
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == ["input"]
    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"newest_version": 0}, "agent_unpublished"),
        ({"state": "archived"}, "agent_archived"),
        ({"kind": "external"}, "agent_external"),
    ],
)
def test_an_agent_that_cannot_answer_is_said_by_code(cast: Cast, fields: Any, code: str) -> None:
    asked = {"agent": str(make_agent(cast.owner, **fields).pk), "input": "Hi"}
    refused = client_of(cast.member).post("/conversations", asked)
    assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert not Conversation.objects.exists()


def test_a_viewer_and_a_key_without_the_permission_ask_nothing(cast: Cast, talking_agent: Agent) -> None:
    asked = {"agent": str(talking_agent.pk), "input": "Hi"}
    assert client_of(cast.viewer).post("/conversations", asked).status_code == 403
    assert client_of(cast.owner, ["agents:view"]).post("/conversations", asked).status_code == 403
    assert not Conversation.objects.exists()


def test_title_and_visibility_are_changed_and_an_etag_guards_them(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    api, there = client_of(cast.member), f"/conversations/{conversation.pk}"
    changed = api.patch(there, {"title": "Kettles", "visibility": "organisation"})
    assert (changed.json()["title"], changed.json()["visibility"]) == ("Kettles", "organisation")
    assert client_of(cast.viewer).get(there).json()["title"] == "Kettles"
    assert api.patch(there, {"title": "Late"}, if_match='"old"').status_code == 412
    assert client_of(cast.viewer).patch(there, {"title": "Mine"}).status_code == 403


def test_a_deleted_conversation_is_gone_with_its_runs(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    answered(conversation)
    api, there = client_of(cast.member), f"/conversations/{conversation.pk}"
    assert api.delete(there).status_code == 204
    assert api.get(there).status_code == 404
    assert (Message.objects.count(), Run.objects.count()) == (0, 0)


@pytest.mark.spec("PL-30")
def test_the_callers_own_rating_is_put_and_taken_back(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    api, there = client_of(cast.member), f"/messages/{message.pk}/rating"
    put = api.send("PUT", there, {"rating": "down", "comment": "Too short."})
    assert (put.status_code, put.json()["message"], put.json()["comment"]) == (200, str(message.pk), "Too short.")
    assert api.send("PUT", there, {"rating": "up"}).json()["rating"] == "up"
    assert Feedback.objects.get().comment == ""
    assert api.send("PUT", there, {"rating": "fine"}).status_code == 422
    assert api.delete(there).status_code == 204
    assert api.delete(there).status_code == 204
    assert not Feedback.objects.exists()
