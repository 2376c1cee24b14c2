"""Reading runs through the API: filters, pages, one run with its messages, deletion (PL-31, PL-42)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from activity.models import Conversation, Feedback, Message, Run
from tests.activity.rows import make_agent, make_person, make_run, make_version
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast


def questions(api: ApiClient, query: str = "") -> list[str]:
    return [row["question"] for row in api.get(f"/runs{query}").json()["results"]]


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.operator)


@pytest.mark.spec("PL-31", "PL-42")
def test_runs_are_listed_by_every_filter_of_the_console(cast: Cast, api: ApiClient) -> None:
    support, booking = make_agent(cast), make_agent(cast, "Booking")
    make_run(support, "Gdzie jest Łódź?", minutes=1)
    make_run(booking, "Table?", minutes=2, kind="eval", status="failed", rating="down")
    since = (timezone.now() - timedelta(seconds=90)).isoformat().replace("+00:00", "Z")
    assert questions(api) == ["Gdzie jest Łódź?", "Table?"]
    for query in (
        f"?agent={booking.pk}",
        "?kind=eval",
        "?status=failed",
        "?rating=down",
        "?q=table",
        f"?until={since}",
    ):
        assert questions(api, query) == ["Table?"], query
    assert questions(api, "?q=lodz") == questions(api, f"?since={since}") == ["Gdzie jest Łódź?"]


@pytest.mark.spec("PL-42")
def test_pages_follow_each_other(cast: Cast, api: ApiClient) -> None:
    agent = make_agent(cast)
    for number in range(5):
        make_run(agent, f"{number}", minutes=number)
    first = api.get("/runs?page_size=2").json()
    second = api.get(first["next"].partition("/api/v1")[2]).json()
    assert [row["question"] for row in first["results"] + second["results"]] == ["0", "1", "2", "3"]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    "query", ["kind=nonsense", "status=", "agent=x", "since=yesterday", "since=2026-01-01T00:00:00", "who=me"]
)
def test_a_filter_that_makes_no_sense_is_refused_by_name(cast: Cast, api: ApiClient, query: str) -> None:
    refused = api.get(f"/runs?{query}")
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == [query.partition("=")[0]]


@pytest.mark.spec("PL-31")
def test_a_run_comes_with_its_messages_in_the_shape_of_the_chat_api(cast: Cast, api: ApiClient) -> None:
    agent = make_agent(cast)
    person = make_person(cast.kettle)
    steps: list[dict[str, Any]] = [
        {"role": "assistant", "tool_calls": [{"id": "c1", "name": "find_order", "arguments": {"number": 1}}]},
        {"role": "tool", "tool_call_id": "c1", "tool_name": "find_order", "text": "{}", "outcome": "ok"},
    ]
    run = make_run(agent, steps=steps, person=person, agent_version=make_version(agent, 2), cost=None)
    Conversation.objects.filter(runs=run).update(external_id="chat-1")
    last = Message.objects.filter(run=run).order_by("position").last()
    Feedback.objects.create(message=last, person=person, rating="up", comment="Thanks")  # type: ignore[misc]
    read = api.get(f"/runs/{run.pk}").json()
    assert read["agent"] == {"id": str(agent.pk), "name": "Support", "version": 2}
    assert read["person"]["external_id"] == "customer-1"
    assert read["conversation"] == {"id": str(run.conversation_id), "external_id": "chat-1"}
    assert (read["cost"], read["rating"], read["trace_id"], read["input_tokens"]) == (None, None, None, 100)
    question, asked, answered, said = read["messages"]
    assert (question["role"], question["content"]) == ("user", "Where is my order?")
    assert asked["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "find_order", "arguments": '{"number": 1}'}}
    ]
    assert (answered["tool_call_id"], answered["name"], answered["outcome"]) == ("c1", "find_order", "ok")
    assert [(row["rating"], row["comment"]) for row in said["feedback"]] == [("up", "Thanks")]


@pytest.mark.spec("ACC-24")
def test_a_helpers_run_has_no_messages(cast: Cast, api: ApiClient) -> None:
    judge = make_agent(cast, "Judge", helper="judge", kind="model")
    run = Run.objects.create(organisation=cast.kettle, agent=judge, kind="helper", error="Not readable: score.")
    read = api.get(f"/runs/{run.pk}").json()
    assert (read["messages"], read["error"]) == ([], "Not readable: score.")


@pytest.mark.spec("ACC-D9")
def test_deleting_needs_who_manages_the_organisation(cast: Cast, api: ApiClient) -> None:
    run = make_run(make_agent(cast))
    assert api.delete(f"/runs/{run.pk}").status_code == 403
    assert client_of(cast.member).delete(f"/runs/{run.pk}").status_code == 404
    assert client_of(cast.owner, ["runs:view"]).delete(f"/runs/{run.pk}").status_code == 403
    owner = client_of(cast.owner)
    assert owner.delete(f"/runs/{run.pk}").status_code == 204
    assert owner.delete(f"/runs/{run.pk}").status_code == 404
    assert owner.get(f"/runs/{uuid4()}").status_code == 404


def test_a_run_that_goes_on_is_a_conflict(cast: Cast) -> None:
    run = make_run(make_agent(cast), status="running")
    refused = client_of(cast.owner).delete(f"/runs/{run.pk}")
    assert (refused.status_code, refused.json()["code"]) == (409, "run_running")
