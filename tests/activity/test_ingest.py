"""Runs of agents that run elsewhere are taken in: all of a request or none, each key once (PL-32)."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from accounts.models import Person
from accounts.operations.persons import person_by_external_id
from accounts.operations.privacy import erase_person
from activity.models import Conversation, Feedback, Message, Run
from agents.models import Agent, Spending
from agents.operations.language_models import connect_with_model
from core.limits import LIMITS
from tests.activity.rows import make_agent, make_version
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast, make_cast

CALL = {"id": "call_1", "type": "function", "function": {"name": "find_order", "arguments": '{"number": 12}'}}
STEPS: list[dict[str, Any]] = [
    {"role": "user", "content": "Where is order 12?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": '{"state": "sent"}'},
    {"role": "assistant", "content": "It was sent on Monday."},
]
AGAIN: list[dict[str, Any]] = [
    {"role": "user", "content": "And order 13?"},
    {"role": "assistant", "content": "Not yet."},
]


@pytest.fixture
def agent(cast: Cast) -> Agent:
    return make_agent(cast)


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.owner)


@pytest.fixture
def run(agent: Agent) -> Callable[..., dict[str, Any]]:
    """A run as it is sent; fields may be given."""
    return lambda **fields: {"agent": str(agent.pk), "messages": STEPS, **fields}


Make = Callable[..., dict[str, Any]]


def fields_of(response: Any) -> list[str]:
    assert response.status_code == 422, response.content
    return [problem["field"] for problem in response.json()["errors"]]


def said() -> list[tuple[str, str]]:
    return list(Message.objects.order_by("position").values_list("role", "text"))


@pytest.mark.spec("PL-32")
def test_one_run_is_stored_with_its_messages_calls_and_person(api: ApiClient, run: Make) -> None:
    sent = run(
        conversation="chat-1",
        person="customer-1",
        model="small-1",
        usage={"prompt_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 900}, "completion_tokens": 50},
        cost=0.1,
        started_at="2026-11-30T09:00:00+01:00",
        finished_at="2026-11-30T08:00:03.5Z",
    )
    response = api.post("/runs", sent)
    assert response.status_code == 201
    (told,) = response.json()["runs"]
    stored = Run.objects.get()
    assert response["Location"] == f"/api/v1/runs/{stored.pk}"
    last = Message.objects.order_by("position").last()
    assert last is not None
    assert told == {
        "id": str(stored.pk),
        "conversation": str(stored.conversation_id),
        "message": str(last.pk),
        "idempotency_key": None,
        "stored": True,
    }
    assert (stored.input_tokens, stored.cached_tokens, stored.output_tokens) == (1000, 900, 50)
    assert (stored.cost, stored.seconds, stored.status, stored.kind) == (Decimal("0.1"), 3.5, "completed", "production")
    assert (stored.question, stored.question_folded) == ("Where is order 12?", "where is order 12?")
    assert (stored.step_count, stored.tool_call_count) == (3, 1)
    assert [row.role for row in Message.objects.order_by("position")] == ["user", "assistant", "tool", "assistant"]
    second, third = Message.objects.order_by("position")[1:3]
    assert second.tool_calls == [{"id": "call_1", "name": "find_order", "arguments": {"number": 12}}]
    assert (third.tool_name, third.tool_call_id, third.outcome) == ("find_order", "call_1", "ok")
    conversation = Conversation.objects.get()
    assert (conversation.external_id, conversation.title) == ("chat-1", "Where is order 12?")
    assert conversation.next_position == 5
    person = Person.objects.get(external_id="customer-1")
    assert (stored.person, conversation.person) == (person, person)
    assert Message.objects.get(position=1).author == person
    assert not Message.objects.exclude(position=1).exclude(author=None).exists()


@pytest.mark.spec("PL-32")
@pytest.mark.parametrize("wrap", [lambda runs: runs, lambda runs: {"runs": runs}], ids=["list", "object"])
def test_a_list_is_stored_whole_in_order(api: ApiClient, run: Make, wrap: Callable[[Any], Any]) -> None:
    sent = [run(messages=[{"role": "user", "content": str(number)}]) for number in range(20)]
    told = api.post("/runs", wrap(sent)).json()["runs"]
    questions = {str(key): question for key, question in Run.objects.values_list("pk", "question")}
    assert [questions[each["id"]] for each in told] == [str(number) for number in range(20)]


@pytest.mark.spec("PL-32", "PL-41")
def test_every_bad_item_is_named_by_index_and_field_and_nothing_is_stored(api: ApiClient, run: Make) -> None:
    bad = [
        run(),
        run(messages=[{"role": "robot", "content": 5}]),
        run(agent="x", colour="red"),
        run(messages=[]),
        run(cost=-1, seconds=True, usage={"prompt_tokens": "5"}),
        5,
        run(messages=[{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}, 5]}]),
        run(messages=[{"role": "user", "content": [{"type": "text", "text": 5}, {}]}]),
        run(started_at="2026-11-30T08:00:00", finished_at="yesterday"),
        run(status="running", kind="eval", idempotency_key=" "),
    ]
    assert fields_of(api.post("/runs", bad)) == [
        "runs.1.messages.0.role",
        "runs.1.messages.0.content",
        "runs.2.colour",
        "runs.2.agent",
        "runs.3.messages",
        "runs.4.usage.prompt_tokens",
        "runs.4.cost",
        "runs.4.seconds",
        "runs.5",
        "runs.6.messages.0.tool_calls.0.function.name",
        "runs.6.messages.0.tool_calls.1",
        "runs.7.messages.0.content.0.text",
        "runs.7.messages.0.content.1",
        "runs.8.started_at",
        "runs.8.finished_at",
        "runs.9.kind",
        "runs.9.idempotency_key",
        "runs.9.status",
    ]
    assert not Run.objects.exists()
    assert not Conversation.objects.exists()


def test_the_fields_of_one_run_alone_have_no_index(api: ApiClient, run: Make) -> None:
    assert fields_of(api.post("/runs", run(messages=[{"role": "x"}]))) == ["messages.0.role"]


@pytest.mark.spec("BC-10")
@pytest.mark.parametrize(
    "inner",
    [
        '"cost":NaN',
        '"cost":1e999',
        '"cost":' + "1" * 5000,
        '"usage":' + "[" * 5000 + "]" * 5000,
        '"cost":1,"cost":2',
        '"person":"\\u0000"',
        '"person":"\\ud800"',
        '"seconds":1e300',
        '"input_tokens":9223372036854775807',
    ],
)
def test_numbers_and_nesting_that_break_parsers_are_refused(api: ApiClient, run: Make, inner: str) -> None:
    body = json.dumps(run())[:-1] + "," + inner.replace("\\\\", "\\") + "}"
    assert api.send("POST", "/runs", raw=body.encode()).status_code == 422
    assert not Run.objects.exists()


def test_too_many_runs_or_messages_and_too_much_text_are_refused(api: ApiClient, run: Make) -> None:
    assert fields_of(api.post("/runs", [run()] * (LIMITS.runs_a_request + 1))) == ["runs"]
    assert fields_of(api.post("/runs", [])) == ["runs"]
    long = run(messages=[{"role": "user", "content": "x"}] * (LIMITS.messages_a_run + 1))
    assert fields_of(api.post("/runs", long)) == ["messages"]
    text = run(messages=[{"role": "user", "content": "x" * (LIMITS.message_characters + 1)}])
    assert fields_of(api.post("/runs", text)) == ["messages.0.content"]
    assert api.send("POST", "/runs", raw=b" " * (LIMITS.json_body_bytes + 1)).status_code == 413


@pytest.mark.spec("PL-32")
def test_the_same_key_twice_stores_one_run(api: ApiClient, run: Make) -> None:
    first = api.post("/runs", run(idempotency_key="k"))
    again = api.post("/runs", run(idempotency_key="k"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["runs"] == [{**first.json()["runs"][0], "stored": False}]
    mixed = api.post("/runs", [run(idempotency_key="k"), run(idempotency_key="l"), run(idempotency_key="l")])
    assert mixed.status_code == 201
    assert [each["stored"] for each in mixed.json()["runs"]] == [False, True, True]
    assert mixed.json()["runs"][1] == mixed.json()["runs"][2]
    assert Run.objects.count() == 2


def test_one_key_with_two_contents_in_a_list_names_both(api: ApiClient, run: Make) -> None:
    refused = api.post("/runs", [run(idempotency_key="k"), run(), run(idempotency_key="k", cost=1)])
    assert fields_of(refused) == ["runs.2.idempotency_key", "runs.0.idempotency_key"]
    assert not Run.objects.exists()


def test_a_key_belongs_to_its_organisation(cast: Cast, api: ApiClient, run: Make) -> None:
    api.post("/runs", run(idempotency_key="k"))
    other = make_agent(cast, owner=cast.stranger)
    assert client_of(cast.stranger).post("/runs", run(agent=str(other.pk), idempotency_key="k")).status_code == 201
    assert Run.objects.count() == 2


@pytest.mark.spec("PL-32")
@pytest.mark.django_db(transaction=True)
def test_requests_at_once_with_the_same_keys_and_conversations_store_each_once() -> None:
    cast = make_cast()
    agent = make_agent(cast)
    key = client_of(cast.owner).key

    def send(number: int) -> int:
        runs = [
            {"agent": str(agent.pk), "messages": STEPS, "conversation": f"c{index % 3}", "person": "p",
             "idempotency_key": f"k{index}"}
            for index in (range(6) if number % 2 else reversed(range(6)))
        ]  # fmt: skip
        try:
            return int(ApiClient(key).post("/runs", {"runs": runs}).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(send, range(4)))
    assert statuses == [200, 200, 200, 201]
    assert (Run.objects.count(), Conversation.objects.count(), Person.objects.filter(external_id="p").count()) == (
        6,
        3,
        1,
    )
    for conversation in Conversation.objects.all():
        places = list(conversation.messages.order_by("position").values_list("position", flat=True))
        assert places == list(range(1, 9))
        assert conversation.next_position == 9


@pytest.mark.spec("PL-32")
def test_a_conversation_sent_again_whole_gets_only_what_is_new(api: ApiClient, run: Make) -> None:
    api.post("/runs", run(conversation="c"))
    system = {"role": "system", "content": "Be kind."}
    api.post("/runs", run(conversation="c", messages=[system, *STEPS, *AGAIN]))
    third = [{"role": "user", "content": "Thanks."}, {"role": "assistant", "content": "Welcome."}]
    api.post("/runs", run(conversation="c", messages=[system, *STEPS, *AGAIN, *third]))
    assert [text for role, text in said() if role != "tool"] == [
        "Where is order 12?",
        "",
        "It was sent on Monday.",
        "Be kind.",
        "And order 13?",
        "Not yet.",
        "Thanks.",
        "Welcome.",
    ]
    assert [each.question for each in Run.objects.order_by("pk")] == ["Where is order 12?", "And order 13?", "Thanks."]
    assert [each.step_count for each in Run.objects.order_by("pk")] == [3, 1, 1]


def test_only_new_messages_are_appended_also_where_they_repeat(api: ApiClient, run: Make) -> None:
    yes = [{"role": "user", "content": "Yes"}, {"role": "assistant", "content": "Good."}]
    for _ in range(3):
        assert api.post("/runs", run(conversation="c", messages=yes)).status_code == 201
    assert said() == [("user", "Yes"), ("assistant", "Good.")] * 3


def test_runs_of_one_conversation_in_one_list_continue_each_other(api: ApiClient, run: Make) -> None:
    api.post("/runs", [run(conversation="c"), run(conversation="c", messages=[*STEPS, *AGAIN])])
    assert [text for _role, text in said()][-2:] == ["And order 13?", "Not yet."]
    assert len(said()) == 6
    assert Conversation.objects.count() == 1


def test_history_that_was_never_sent_is_kept_but_no_part_of_the_run(api: ApiClient, run: Make) -> None:
    api.post("/runs", run(conversation="c", messages=[*STEPS, *AGAIN]))
    assert list(Message.objects.order_by("position").values_list("run", flat=True)[:4]) == [None] * 4
    assert Run.objects.get().step_count == 1


def test_one_external_id_with_two_agents_is_two_conversations(cast: Cast, api: ApiClient, run: Make) -> None:
    other = make_agent(cast, "Sales")
    api.post("/runs", [run(conversation="c"), run(conversation="c", agent=str(other.pk))])
    assert Conversation.objects.count() == 2


@pytest.mark.spec("BC-38")
@pytest.mark.parametrize(
    ("given", "seconds", "cost"),
    [
        ({}, None, None),
        ({"seconds": 0, "cost": 0}, 0, Decimal(0)),
        ({"seconds": None, "cost": None}, None, None),
        ({"seconds": 12.5, "cost": 0.0001}, 12.5, Decimal("0.0001")),
        ({"latency_ms": 250}, 0.25, None),
        ({"started_at": "2026-11-30T08:00:00Z", "finished_at": "2026-11-30T08:00:00Z"}, 0, None),
    ],
    ids=str,
)
def test_nought_and_missing_are_told_apart(
    api: ApiClient, run: Make, given: dict[str, Any], seconds: float | None, cost: Decimal | None
) -> None:
    assert api.post("/runs", run(**given)).status_code == 201
    stored = Run.objects.get()
    assert (stored.seconds, stored.cost) == (seconds, cost)


def test_an_end_before_the_beginning_is_refused_and_a_future_clock_is_not(api: ApiClient, run: Make) -> None:
    wrong = run(started_at="2026-11-30T08:00:01Z", finished_at="2026-11-30T08:00:00Z")
    assert fields_of(api.post("/runs", wrong)) == ["finished_at"]
    assert api.post("/runs", run(started_at="2099-01-01T00:00:00Z", seconds=5)).status_code == 201
    assert str(Run.objects.get().finished_at) == "2099-01-01 00:00:05+00:00"


@pytest.mark.spec("BC-37")
def test_a_cost_that_is_not_given_comes_from_the_models_prices_and_is_counted(
    cast: Cast, api: ApiClient, run: Make
) -> None:
    prices = {"input_price": Decimal(2), "cached_price": Decimal("0.2"), "output_price": Decimal(8)}
    given = {"name": "Own", "provider": "compatible", "base_url": "http://127.0.0.1:9/v1", "key": "k"}
    connect_with_model(cast.actor("owner"), connection=given, model={"name": "small-1", **prices})
    openai = {"prompt_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 900}, "completion_tokens": 50}
    beside = {
        "input_tokens": 100,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 0,
        "output_tokens": 50,
    }
    own = {"input_tokens": 1000, "cached_tokens": 900, "output_tokens": 50}
    sent = [run(model="small-1", usage=openai), run(model="small-1", usage=beside), run(model="small-1", **own)]
    sent += [run(model="small-1", usage=openai, cost=1), run(model="unknown", usage=openai)]
    assert api.post("/runs", sent).status_code == 201
    costs = list(Run.objects.order_by("pk").values_list("cost", flat=True))
    assert costs == [Decimal("0.00078")] * 3 + [Decimal(1), None]
    assert Spending.objects.get().usd == Decimal("1.00234")


def test_measures_of_steps_add_up_and_stay_at_their_steps(api: ApiClient, run: Make) -> None:
    steps = [dict(step) for step in STEPS]
    steps[1] |= {"usage": {"prompt_tokens": 10, "completion_tokens": 1}, "cost": 0.5, "model": "a"}
    steps[2] |= {"seconds": 0.25, "is_error": True}
    steps[3] |= {"usage": {"prompt_tokens": 20, "completion_tokens": 2}, "cost": 0.25, "model": "b"}
    api.post("/runs", run(messages=steps))
    stored = Run.objects.get()
    assert (stored.input_tokens, stored.output_tokens, stored.cost, stored.model) == (30, 3, Decimal("0.75"), "b")
    assert [row.input_tokens for row in Message.objects.order_by("position")] == [None, 10, None, 20]
    assert Message.objects.get(position=3).outcome == "failed"


def test_a_failed_run_says_why(api: ApiClient, run: Make) -> None:
    api.post("/runs", run(messages=STEPS[:1], error="out of memory"))
    assert (Run.objects.get().status, Run.objects.get().error) == ("failed", "out of memory")
    assert api.post("/runs", run(messages=STEPS[:1])).json()["runs"][0]["message"] is None
    assert fields_of(api.post("/runs", run(status="completed", error="x"))) == ["status"]


def test_the_clients_own_messages_are_taken(api: ApiClient, run: Make) -> None:
    messages = [
        {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                {"type": "hologram"},
            ],
        },
        {"role": "assistant", "content": None, "refusal": "No.", "annotations": [], "audio": None, "tool_calls": None},
        {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "not json"}},
    ]
    assert api.post("/runs", run(messages=messages)).status_code == 201
    assert said() == [
        ("system", "Be kind."),
        ("user", "What is this?\n[image]\n[hologram]"),
        ("assistant", "No."),
        ("assistant", ""),
    ]
    assert Message.objects.get(position=4).tool_calls == [{"id": "", "name": "f", "arguments": "not json"}]


def test_feedback_may_come_along(api: ApiClient, run: Make) -> None:
    api.post("/runs", run(person="p", feedback={"rating": "down", "comment": "Wrong."}))
    row = Feedback.objects.get()
    assert (row.rating, row.comment, str(row.person)) == ("down", "Wrong.", "p")
    assert (row.message.text, Run.objects.get().rating) == ("It was sent on Monday.", "down")
    nothing = run(messages=STEPS[:1], feedback={"rating": "up"})
    assert fields_of(api.post("/runs", nothing)) == ["feedback"]


def test_a_version_is_named_by_its_number(agent: Agent, api: ApiClient, run: Make) -> None:
    version = make_version(agent, 3)
    assert api.post("/runs", run(version=3)).status_code == 201
    assert Run.objects.get().agent_version == version
    assert fields_of(api.post("/runs", [run(version=3), run(version=4)])) == ["runs.1.version"]


@pytest.mark.spec("ACC-D9", "ACC-D11", "BC-46")
def test_an_agent_that_is_not_yours_is_as_one_that_is_not_there(cast: Cast, api: ApiClient, run: Make) -> None:
    foreign = make_agent(cast, owner=cast.stranger)
    answers = [api.post("/runs", [run(), run(agent=str(key))]) for key in (foreign.pk, uuid4())]
    assert {answer.status_code for answer in answers} == {404}
    assert answers[0].content == answers[1].content
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("name", "visibility", "status"),
    [
        ("member", "organisation", 201),
        ("member", "private", 404),
        ("operator", "private", 201),
        ("viewer", "organisation", 403),
    ],
)
def test_who_may_run_the_agent_may_send_its_runs(
    cast: Cast, agent: Agent, run: Make, name: str, visibility: str, status: int
) -> None:
    Agent.objects.update(visibility=visibility)
    assert client_of(cast.members[name]).post("/runs", run()).status_code == status


def test_a_key_restricted_to_other_permissions_sends_nothing(cast: Cast, run: Make) -> None:
    assert client_of(cast.owner, ["agents:view"]).post("/runs", run()).status_code == 403
    assert client_of(cast.owner, ["agents:view", "agents:run"]).post("/runs", run()).status_code == 201


def test_an_archived_agent_takes_no_runs(agent: Agent, api: ApiClient, run: Make) -> None:
    Agent.objects.update(state="archived")
    assert fields_of(api.post("/runs", [run()])) == ["runs.0.agent"]


@pytest.mark.spec("ACC-D35")
def test_words_of_a_person_who_is_being_erased_are_not_taken(cast: Cast, api: ApiClient, run: Make) -> None:
    person = person_by_external_id(cast.kettle, external_id="p")
    erase_person(cast.actor("owner"), person_id=person.pk)
    refused = api.post("/runs", run(person="p"))
    assert (refused.status_code, refused.json()["code"]) == (409, "person_erased")
    assert not Run.objects.exists()


def test_a_list_takes_few_statements(
    api: ApiClient, run: Make, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    sent = [run(conversation=f"c{number}", person=f"p{number}", idempotency_key=str(number)) for number in range(100)]
    with django_assert_max_num_queries(30):
        assert api.post("/runs", sent).status_code == 201
