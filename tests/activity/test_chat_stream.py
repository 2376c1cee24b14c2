"""An answer as it comes: the lines that the page's script reads (PL-30)."""

import json
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.core.signals import request_finished
from django.test import Client
from django.urls import reverse

from activity.models import Conversation, Message, Run
from agents.models import Agent
from tests.activity.talks import answered, make_conversation, make_run, make_talking_agent
from tests.agents.provider_server import FakeProvider, error, piece, says, stream, wants
from tests.cast import Cast

SignIn = Callable[[str], Client]
LINES = {"Accept": "application/x-ndjson", "HX-Request": "true"}


def ask(client: Client, conversation: Conversation, text: str = "Where is my order?") -> Any:
    return client.post(reverse("conversation", args=[conversation.pk]), {"text": text}, headers=LINES)


def lines_of(response: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def leave(response: Any) -> None:
    """What the server does when the reader went; the test's own connection to the database stays open."""
    with mock.patch.object(request_finished, "send"):
        response.close()


@pytest.mark.spec("PL-30")
def test_the_question_then_the_pieces_then_the_step_then_the_whole_answer(
    cast: Cast, sign_in: SignIn, talking_agent: Agent
) -> None:
    response = ask(sign_in("member"), make_conversation(cast.member, talking_agent))
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-ndjson")
    assert (response["Cache-Control"], response["X-Accel-Buffering"]) == ("no-store", "no")
    lines = lines_of(response)
    kinds = [line["type"] for line in lines if line["type"] != "waiting"]
    assert (kinds[0], kinds[-2:], set(kinds[1:-2])) == ("question", ["step", "end"], {"text"})
    assert "Where is my order?" in lines[0]["html"]
    assert "every 2s" not in lines[0]["html"]
    assert "".join(line["text"] for line in lines if line["type"] == "text") == "It was **sent** on Monday."
    assert "<strong>sent</strong>" in lines[-2]["html"]
    end = lines[-1]
    assert (end["status"], end["said"]) == ("completed", "It was **sent** on Monday.")
    assert "<strong>sent</strong>" in end["html"]
    assert "Good answer" in end["html"]


def test_a_call_is_shown_running_and_then_with_its_result(cast: Cast, sign_in: SignIn, provider: FakeProvider) -> None:
    tool = {"name": "find_order", "parameters": {"type": "object", "properties": {}}, "read_only": True}
    agent = make_talking_agent(cast.owner, provider.address, tools=[{**tool, "endpoint": "http://127.0.0.1:9/x"}])
    provider.answers[:] = [wants(("find_order", {}), text="Let me look."), says("It was sent.")]
    lines = lines_of(ask(sign_in("member"), make_conversation(cast.member, agent)))
    steps = [line for line in lines if line["type"] == "step"]
    assert [step["id"] for step in steps[:2]] == [steps[0]["id"]] * 2
    assert steps[2]["id"] != steps[0]["id"]
    assert "Running" in steps[0]["html"]
    assert "Failed" in steps[1]["html"]


def test_the_first_question_opens_its_conversation(cast: Cast, sign_in: SignIn, talking_agent: Agent) -> None:
    given = {"agent": talking_agent.pk, "text": "Where is my order?"}
    opened = lines_of(sign_in("member").post(reverse("chat"), given, headers=LINES))[0]
    conversation = Conversation.objects.get()
    assert (opened["type"], opened["title"]) == ("opened", "Where is my order?")
    assert opened["href"] == reverse("conversation", args=[conversation.pk])
    assert "data-thread" in opened["html"]
    assert "<html" not in opened["html"]


def test_a_reader_who_goes_away_ends_the_answer(
    cast: Cast, sign_in: SignIn, talking_agent: Agent, provider: FakeProvider
) -> None:
    provider.answers[:] = [stream(piece("It "), piece("was "), then="goes on")]
    response = ask(sign_in("member"), make_conversation(cast.member, talking_agent))
    read = iter(response.streaming_content)
    while json.loads(next(read))["type"] != "text":
        pass
    assert Run.objects.get().status == "running"
    leave(response)
    assert Run.objects.get().status == "cancelled"
    assert provider.left.wait(10)


def test_a_reader_who_goes_before_the_first_line_ends_it_too(cast: Cast, sign_in: SignIn, talking_agent: Agent) -> None:
    leave(ask(sign_in("member"), make_conversation(cast.member, talking_agent)))
    assert Run.objects.get().status == "cancelled"


def test_an_answer_that_fails_midway_ends_with_its_reason(
    cast: Cast, sign_in: SignIn, talking_agent: Agent, provider: FakeProvider
) -> None:
    provider.answers[:] = [error(401, "Wrong key.")]
    end = lines_of(ask(sign_in("member"), make_conversation(cast.member, talking_agent)))[-1]
    assert (end["type"], end["status"]) == ("end", "failed")
    assert '<textarea name="text" hidden>Where is my order?' in end["html"]


def test_what_is_refused_before_the_answer_is_a_normal_answer(
    cast: Cast, sign_in: SignIn, talking_agent: Agent
) -> None:
    client, conversation = sign_in("member"), make_conversation(cast.member, talking_agent)
    empty = ask(client, conversation, " ")
    assert empty.status_code == 422
    assert "Write a question." in empty.content.decode()
    make_run(conversation, "Why?", status="running")
    busy = ask(client, conversation)
    assert busy.status_code == 409
    assert "still answering" in busy.content.decode()
    assert ask(sign_in("colleague"), conversation).status_code == 404
    assert not Message.objects.exists()


def test_the_lines_hold_their_own_exchange_alone(cast: Cast, sign_in: SignIn, talking_agent: Agent) -> None:
    conversation = make_conversation(cast.member, talking_agent)
    answered(conversation)
    end = lines_of(ask(sign_in("member"), conversation, "And the base?"))[-1]
    assert "And the base?" in end["html"]
    assert "Is it dishwasher safe?" not in end["html"]
