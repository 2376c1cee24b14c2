"""A run's page: its steps with what they took, the conversation around it, ratings, the menu, deletion (PL-31)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry
from activity import places
from activity.logic.sent_runs import read_runs
from activity.models import Conversation, Feedback, Message, Run
from activity.operations.runs import delete_run
from core.errors import Conflict, NotAllowed, NotFound
from tests.activity.rows import make_agent, make_conversation, make_person, make_run, make_version, say
from tests.cast import Cast

SignIn = Callable[[str], Client]
CALLS = [
    {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "name": "find_order", "arguments": {"order_number": "KC-20417"}}],
        "model": "small-1",
        "input_tokens": 1234,
        "cached_tokens": 1024,
        "output_tokens": 56,
        "seconds": 0.75,
    },
    {"role": "tool", "tool_call_id": "c1", "tool_name": "find_order", "text": '{"state":"sent"}', "outcome": "failed"},
]


def page_of(client: Client, run: Run, **query: Any) -> str:
    return client.get(reverse("run", args=[run.pk]), query).content.decode()


def last_message(run: Run) -> Message:
    found = Message.objects.filter(run=run).order_by("position").last()
    assert found is not None
    return found


@pytest.fixture
def run(cast: Cast) -> Run:
    agent = make_agent(cast)
    return make_run(
        agent,
        "Where is KC-20417?",
        "On its **way**.",
        steps=CALLS,
        person=make_person(cast.kettle),
        agent_version=make_version(agent, 3),
        started_by=cast.builder,
        trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
        step_count=3,
        tool_call_count=1,
    )


@pytest.mark.spec("PL-31")
def test_every_step_shows_what_was_called_what_came_and_what_it_took(run: Run, sign_in: SignIn) -> None:
    page = page_of(sign_in("operator"), run)
    for words in (
        "find_order",
        "&quot;order_number&quot;: &quot;KC-20417&quot;",
        "&quot;state&quot;: &quot;sent&quot;",
        "1,234 tokens in, 56 out",
        "1,024 cached",
        "<strong>way</strong>",
    ):
        assert words in page


@pytest.mark.spec("PL-31")
def test_what_is_known_of_the_run_stands_above(run: Run, sign_in: SignIn) -> None:
    page = page_of(sign_in("owner"), run)
    for words in ("Support", "Version 3", "customer-1", "Builder", "Completed", "small-1", str(run.trace_id)):
        assert words in page
    assert reverse("conversation", args=[run.conversation_id]) in page


@pytest.mark.spec("PL-23", "PL-25")
@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("max_steps", "as many steps as it may"),
        ("timed_out", "time limit"),
        ("over_budget", "monthly budget was used up"),
        ("cancelled", "Somebody stopped it"),
        ("failed", "The tool said no."),
    ],
)
def test_a_run_that_did_not_complete_says_why(cast: Cast, sign_in: SignIn, status: str, words: str) -> None:
    error = "The tool said no." if status == "failed" else ""
    assert words in page_of(sign_in("owner"), make_run(make_agent(cast), status=status, error=error))


@pytest.mark.spec("PL-31")
def test_the_rest_of_the_conversation_is_folded_around_its_own_part(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast)
    talk = make_conversation(agent)
    first = make_run(agent, "First question", conversation=talk)
    middle = make_run(agent, "Middle question", conversation=talk)
    make_run(agent, "Last question", conversation=talk)
    page = page_of(sign_in("owner"), middle)
    assert (
        page.index("Earlier in this conversation") < page.index("This run") < page.index("Later in this conversation")
    )
    assert "First question" in page
    assert "Last question" in page
    assert "Earlier in this conversation" not in page_of(sign_in("owner"), first)


@pytest.mark.spec("PL-31")
def test_ratings_stand_under_the_answer_with_their_comments(cast: Cast, run: Run, sign_in: SignIn) -> None:
    Feedback.objects.create(message=last_message(run), person=run.person, rating="down", comment="It was late.")
    page = page_of(sign_in("owner"), run)
    assert "It was late." in page
    assert "Thumbs down" in page


@pytest.mark.spec("ACC-24")
def test_a_helpers_run_says_what_could_not_be_read_and_has_no_words(cast: Cast, sign_in: SignIn) -> None:
    judge = make_agent(cast, "Judge", helper="judge", kind="model")
    run = Run.objects.create(
        organisation=cast.kettle, agent=judge, kind="helper", status="failed", error="Not readable: score, reason."
    )
    page = page_of(sign_in("owner"), run)
    assert "Not readable: score, reason." in page
    assert "Runs of helpers keep no words" in page


@pytest.mark.spec("DS-153", "DS-156")
def test_controls_stand_at_the_last_step_alone_and_get_the_pages_query(
    run: Run, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_controls", {})
    places.add_control(places.AnswerControl("run_json", lambda actor: actor.role != "operator"))
    address = reverse("run_json", args=[last_message(run).pk])
    page = page_of(sign_in("owner"), run, dataset="x")
    assert page.count(f"{address}?dataset=x&amp;from=run") == 1
    assert address not in page_of(sign_in("operator"), run)


def test_a_page_takes_few_queries_however_many_steps_it_has(cast: Cast, sign_in: SignIn) -> None:
    run = make_run(make_agent(cast), steps=CALLS * 10, person=make_person(cast.kettle))
    for number in range(5):
        Feedback.objects.create(message=last_message(run), person=make_person(cast.kettle, f"p{number}"), rating="up")
    owner = sign_in("owner")
    with CaptureQueriesContext(connection) as captured:
        page_of(owner, run)
    assert len(captured) <= 14


@pytest.mark.spec("PL-32")
def test_the_copied_json_is_what_the_api_takes(cast: Cast, run: Run, sign_in: SignIn) -> None:
    Conversation.objects.filter(runs=run).update(external_id="chat-1")
    copied = sign_in("operator").get(reverse("run_json", args=[run.pk])).json()
    (read,), problems = read_runs(copied)
    assert problems == []
    assert (read.agent_id, read.version, read.conversation, read.person) == (run.agent_id, 3, "chat-1", "customer-1")
    assert [message.role for message in read.messages] == ["user", "assistant", "tool", "assistant"]
    assert read.messages[2].outcome == "failed"
    assert read.started_at == run.started_at


def test_a_run_without_agent_words_or_measures_is_shown_all_the_same(cast: Cast, sign_in: SignIn) -> None:
    bare = Run.objects.create(organisation=cast.kettle, status="running")
    page = page_of(sign_in("owner"), bare)
    assert 'hx-trigger="every 3s"' in page
    assert "Deleted agent" in page
    assert "No words of this run are stored." in page


def test_a_result_that_no_call_asked_for_is_shown(cast: Cast, sign_in: SignIn) -> None:
    run = make_run(make_agent(cast))
    say(run, role="tool", tool_name="lost_tool", text="lost result", outcome="ok")
    assert "lost result" in page_of(sign_in("owner"), run)


# --- Deleting


def test_deleting_takes_the_run_its_messages_and_its_conversation_and_is_audited(cast: Cast, run: Run) -> None:
    Feedback.objects.create(message=last_message(run), rating="up")
    delete_run(cast.actor("admin"), run_id=run.pk)
    assert not any(model.objects.exists() for model in (Run, Message, Feedback, Conversation))
    entry = AuditEntry.objects.get(action="run.deleted")
    assert (entry.object_id, entry.details) == (str(run.pk), {"kind": "production", "messages": 4})


def test_deleting_leaves_what_else_was_said(cast: Cast) -> None:
    agent = make_agent(cast)
    talk = make_conversation(agent)
    gone, left = (make_run(agent, conversation=talk) for _time in range(2))
    delete_run(cast.actor("owner"), run_id=gone.pk)
    assert set(Message.objects.values_list("run", flat=True)) == {left.pk}
    assert Conversation.objects.filter(pk=talk.pk).exists()


def test_a_run_that_goes_on_is_not_deleted(cast: Cast) -> None:
    run = make_run(make_agent(cast), status="running")
    with pytest.raises(Conflict) as refused:
        delete_run(cast.actor("owner"), run_id=run.pk)
    assert refused.value.code == "run_running"


@pytest.mark.spec("ACC-D9")
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("builder", NotAllowed),
        ("operator", NotAllowed),
        ("member", NotFound),
        ("viewer", NotFound),
        ("stranger", NotFound),
    ],
)
def test_who_does_not_manage_the_organisation_deletes_no_run(
    cast: Cast, run: Run, name: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        delete_run(cast.actor(name), run_id=run.pk)
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.spec("ACC-D9")
def test_the_console_asks_first_and_offers_it_to_managers_alone(run: Run, sign_in: SignIn) -> None:
    address = reverse("run_delete", args=[run.pk])
    statuses = {role: sign_in(role).get(address).status_code for role in ("owner", "builder", "viewer", "stranger")}
    assert statuses == {"owner": 200, "builder": 403, "viewer": 404, "stranger": 404}
    assert address not in page_of(sign_in("builder"), run)
    owner = sign_in("owner")
    assert address in page_of(owner, run)
    assert "4 messages" in owner.get(address, headers={"HX-Request": "true"}).content.decode()
    answer = owner.post(address)
    assert (answer.status_code, answer["Location"]) == (302, "/activity/")
    assert not Run.objects.exists()
