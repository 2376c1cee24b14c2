"""Questions with one `Idempotency-Key` at the same moment: the agent is asked once (PL-42)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import IdempotentRequest
from accounts.operations.idempotent_requests import ABANDONED_AFTER
from activity.api import conversations
from activity.models import Conversation, Run
from agents.models import Agent
from tests.activity.talks import answered, make_conversation, make_talking_agent
from tests.agents.provider_server import FakeProvider
from tests.api.clients import ApiClient, client_of, key_of
from tests.cast import Cast, make_cast

ASKED = {"input": "Where is my order?"}


@pytest.mark.spec("PL-42")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False], ids=["first question", "next question"])
def test_five_at_once_with_one_key_ask_the_agent_once(provider: FakeProvider, is_first: bool) -> None:
    cast = make_cast()
    agent = make_talking_agent(cast.owner, provider.address)
    key = key_of(cast.member)
    there, body = "/conversations", ASKED | {"agent": str(agent.pk)}
    if not is_first:
        conversation = make_conversation(cast.member, agent)
        answered(conversation)
        there, body = f"/conversations/{conversation.pk}/messages", ASKED
    runs = Run.objects.count()
    start = Barrier(5)

    def send(_number: int) -> Any:
        start.wait()
        try:
            return ApiClient(key).post(there, body, idempotency_key="same")
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as threads:
        answers = list(threads.map(send, range(5)))
    assert len(provider.asked) == 1
    assert Run.objects.count() == runs + 1
    given = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in given}) == 1
    refused = [answer for answer in answers if answer.status_code != 201]
    assert {(answer.status_code, answer.json()["code"]) for answer in refused} <= {(409, "request_running")}
    again = ApiClient(key).post(there, body, idempotency_key="same")
    assert (again.status_code, again.content, again["Idempotent-Replayed"]) == (201, given[0].content, "true")


@pytest.mark.spec("PL-42")
def test_while_the_agent_answers_the_same_request_is_refused(
    cast: Cast, talking_agent: Agent, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, asked = client_of(cast.member), ASKED | {"agent": str(talking_agent.pk)}
    wait: Callable[..., UUID] = conversations.waited_for
    meanwhile: list[Any] = []

    def waited_for(ask: Any) -> UUID:
        meanwhile.append(api.post("/conversations", asked, idempotency_key="one"))
        meanwhile.append(api.post("/conversations", asked | {"input": "Another?"}, idempotency_key="one"))
        return wait(ask)

    monkeypatch.setattr(conversations, "waited_for", waited_for)
    assert api.post("/conversations", asked, idempotency_key="one").status_code == 201
    assert [answer.status_code for answer in meanwhile] == [409, 422]
    assert (meanwhile[0].json()["code"], len(provider.asked)) == ("request_running", 1)


@pytest.mark.spec("PL-42")
def test_a_question_that_is_refused_leaves_its_key_free(cast: Cast, talking_agent: Agent) -> None:
    api, asked = client_of(cast.member), ASKED | {"agent": str(talking_agent.pk)}
    assert api.post("/conversations", asked | {"input": " "}, idempotency_key="one").status_code == 422
    assert not IdempotentRequest.objects.exists()
    assert api.post("/conversations", asked, idempotency_key="one").status_code == 201


@pytest.mark.spec("PL-42")
def test_a_key_left_behind_by_a_process_that_is_gone_is_free_once_nobody_can_be_answering(
    cast: Cast, talking_agent: Agent
) -> None:
    api, asked = client_of(cast.member), ASKED | {"agent": str(talking_agent.pk)}
    assert api.post("/conversations", asked, idempotency_key="one").status_code == 201
    IdempotentRequest.objects.update(status=None)
    assert api.post("/conversations", asked, idempotency_key="one").status_code == 409
    IdempotentRequest.objects.update(created_at=timezone.now() - ABANDONED_AFTER - timedelta(seconds=1))
    assert api.post("/conversations", asked, idempotency_key="one").status_code == 201
    assert Conversation.objects.count() == 2
