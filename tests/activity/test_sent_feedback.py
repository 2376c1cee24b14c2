"""Ratings that integrators send find their answer, replace earlier ones and keep the run's rating right (PL-32)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from activity.models import Feedback, Message, Run
from agents.models import Agent
from tests.activity.rows import make_agent, make_conversation, make_run
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast

STEPS = [
    {"role": "assistant", "tool_calls": [{"id": "1", "name": "find", "arguments": {}}]},
    {"role": "tool", "text": "found", "outcome": "ok"},
]


@pytest.fixture
def agent(cast: Cast) -> Agent:
    return make_agent(cast)


@pytest.fixture
def run(agent: Agent) -> Run:
    return make_run(agent, steps=STEPS, idempotency_key="k")


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.owner)


def place(number: int) -> str:
    return str(Message.objects.get(position=number).pk)


NAMES: list[Callable[[Run], dict[str, Any]]] = [
    lambda run: {"message": place(4)},
    lambda run: {"message": place(2)},
    lambda run: {"message": place(3)},
    lambda run: {"run": str(run.pk)},
    lambda run: {"idempotency_key": "k"},
]


@pytest.mark.spec("PL-32")
@pytest.mark.parametrize("name", NAMES, ids=["last message", "first step", "tool", "run", "key"])
def test_any_name_of_an_answer_rates_its_last_message(
    api: ApiClient, run: Run, name: Callable[[Run], dict[str, Any]]
) -> None:
    response = api.post("/feedback", {**name(run), "rating": "down", "comment": "Late.", "person": "p"})
    assert response.status_code == 200
    row = Feedback.objects.get()
    assert response.json()["feedback"] == [
        {"id": str(row.pk), "message": place(4), "run": str(run.pk), "rating": "down", "comment": "Late."}
    ]
    assert str(row.person) == "p"
    run.refresh_from_db()
    assert run.rating == "down"


@pytest.mark.parametrize("person", ["p", None])
def test_the_same_person_again_replaces_and_the_newest_of_all_is_the_runs(
    api: ApiClient, run: Run, person: str | None
) -> None:
    for rating, comment in (("down", "No"), ("up", "Yes")):
        api.post("/feedback", {"run": str(run.pk), "rating": rating, "comment": comment, "person": person})
    row = Feedback.objects.get()
    assert (row.rating, row.comment) == ("up", "Yes")
    api.post("/feedback", {"run": str(run.pk), "rating": "down", "person": "somebody else"})
    run.refresh_from_db()
    assert (Feedback.objects.count(), run.rating) == (2, "down")


def test_a_list_is_all_or_nothing_with_every_bad_item_named(api: ApiClient, run: Run) -> None:
    good = {"run": str(run.pk), "rating": "up"}
    bad = [good, {"rating": "up"}, {**good, "message": place(4)}, {"run": "x", "rating": 5}, {**good, "x": 1}, 7]
    refused = api.post("/feedback", bad)
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == [
        "feedback.1.message",
        "feedback.2.run",
        "feedback.3.rating",
        "feedback.3.run",
        "feedback.4.x",
        "feedback.5",
    ]
    assert not Feedback.objects.exists()
    assert len(api.post("/feedback", {"feedback": [good, good]}).json()["feedback"]) == 2
    assert Feedback.objects.count() == 1


def test_a_question_is_no_answer(api: ApiClient, run: Run) -> None:
    refused = api.post("/feedback", [{"run": str(run.pk), "rating": "up"}, {"message": place(1), "rating": "up"}])
    assert [problem["field"] for problem in refused.json()["errors"]] == ["feedback.1.message"]
    assert not Feedback.objects.exists()


@pytest.mark.spec("ACC-D9", "ACC-D11", "BC-46")
def test_what_is_not_yours_is_as_what_is_not_there(cast: Cast, api: ApiClient) -> None:
    foreign = make_run(make_agent(cast, owner=cast.stranger), idempotency_key="theirs")
    message = Message.objects.filter(run=foreign, role="assistant").get()
    named = [{"message": message.pk}, {"run": foreign.pk}, {"message": uuid4()}, {"run": uuid4()}]
    answers = [
        api.post("/feedback", {key: str(value), "rating": "up"}) for each in named for key, value in each.items()
    ]
    answers += [api.post("/feedback", {"idempotency_key": key, "rating": "up"}) for key in ("theirs", "nobody's")]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.content for answer in answers} == {answers[0].content}


def test_a_private_conversation_of_the_console_is_not_rated_by_who_may_not_open_it(cast: Cast, agent: Agent) -> None:
    run = make_run(agent, conversation=make_conversation(agent, owner=cast.member))
    sent = {"run": str(run.pk), "rating": "up"}
    assert client_of(cast.colleague).post("/feedback", sent).status_code == 404
    assert client_of(cast.operator).post("/feedback", sent).status_code == 200


def test_who_sees_the_agent_and_may_not_run_it_is_refused(cast: Cast, run: Run) -> None:
    assert client_of(cast.viewer).post("/feedback", {"run": str(run.pk), "rating": "up"}).status_code == 403
    assert client_of(cast.member).post("/feedback", {"run": str(run.pk), "rating": "up"}).status_code == 200
