"""Traces of OpenTelemetry become runs, whatever the order and the spelling they come in (PL-33)."""

import gzip
import itertools
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import Status, StatusCode

from accounts.operations.persons import person_by_external_id
from accounts.operations.privacy import erase_person
from activity.models import Conversation, Feedback, Message, Run, TraceSpan
from activity.operations.otlp import sweep_spans
from agents.models import Agent
from tests.activity.rows import make_agent
from tests.activity.traces import ANSWERED, ASKED, CALLED, CHAT, FOUND, agent_trace, parts, request, span
from tests.api.clients import ApiClient, client_of, key_of
from tests.cast import Cast, make_cast

PATH = "/otlp/v1/traces"


@pytest.fixture
def agent(cast: Cast) -> Agent:
    return make_agent(cast)


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.owner)


def said(run: Run) -> list[tuple[str, str]]:
    return list(Message.objects.filter(run=run).order_by("position").values_list("role", "text"))


WHOLE = [
    ("user", "Where is order 12?"),
    ("assistant", ""),
    ("tool", '{"state":"sent"}'),
    ("assistant", "It was sent on Monday."),
]


@pytest.mark.spec("PL-33")
def test_a_trace_becomes_one_run_with_its_steps(agent: Agent, api: ApiClient) -> None:
    more = {"gen_ai.conversation.id": "chat-1", "user.id": "customer-1"}
    response = api.post(PATH, request(*agent_trace(str(agent.pk), **more)))
    assert (response.status_code, response.json()) == (200, {})
    run = Run.objects.get()
    assert said(run) == WHOLE
    assert (run.agent, run.status, run.kind, run.model) == (agent, "completed", "production", "small-1")
    assert (run.input_tokens, run.output_tokens, run.seconds) == (200, 20, 3.5)
    assert (run.step_count, run.tool_call_count, run.question) == (3, 1, "Where is order 12?")
    conversation: Any = run.conversation
    assert (conversation.external_id, run.person.external_id) == ("chat-1", "customer-1")  # type: ignore[union-attr]
    call = Message.objects.get(position=2).tool_calls
    assert call == [{"id": "call_1", "name": "find_order", "arguments": {"number": 12}}]
    result = Message.objects.get(position=3)
    assert (result.tool_name, result.outcome, result.seconds) == ("find_order", "ok", 0.5)
    assert TraceSpan.objects.filter(is_settled=True, run=run).count() == 4


@pytest.mark.spec("PL-33")
@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=str)
def test_spans_come_in_any_order_one_by_one_and_twice(agent: Agent, api: ApiClient, order: tuple[int, ...]) -> None:
    spans = agent_trace(str(agent.pk))
    for place in order:
        assert api.post(PATH, request(spans[place])).json() == {}
    for place in order[:2]:
        assert api.post(PATH, request(spans[place])).json() == {}
    run = Run.objects.get()
    assert said(run) == WHOLE
    assert (run.input_tokens, run.step_count, run.tool_call_count) == (200, 3, 1)
    assert Conversation.objects.get().next_position == 5


def test_a_late_span_leaves_the_rating_at_the_answer(agent: Agent, api: ApiClient) -> None:
    first, tool, second, root = agent_trace(str(agent.pk), **{"gen_ai.conversation.id": "c"})
    api.post(PATH, request(second, root))
    run = Run.objects.get()
    answer = Message.objects.get(run=run, text="It was sent on Monday.")
    Feedback.objects.create(message=answer, rating="up")
    later = {"conversation": "c", "messages": [{"role": "user", "content": "Thanks."}], "agent": str(agent.pk)}
    assert api.post("/runs", later).status_code == 201
    api.post(PATH, request(first, tool))
    answer.refresh_from_db()
    assert (answer.text, answer.role) == ("It was sent on Monday.", "assistant")
    assert said(run) == WHOLE
    everything = Message.objects.order_by("position").values_list("position", "text")
    assert [place for place, _text in everything] == [1, 2, 3, 4, 5]
    assert everything[4][1] == "Thanks."
    assert Conversation.objects.get().next_position == 6


@pytest.mark.spec("PL-33")
def test_a_parent_that_never_comes_is_waited_for_and_then_done_without(agent: Agent, api: ApiClient) -> None:
    chat = span(2, 9, attributes={**CHAT, "gen_ai.input.messages": parts(ASKED)})
    api.post(f"{PATH}?agent={agent.pk}", request(chat))
    assert not Run.objects.exists()
    sweep_spans()
    assert not Run.objects.exists()
    TraceSpan.objects.update(received_at=timezone.now() - timedelta(minutes=11))
    sweep_spans()
    assert Run.objects.get().question == "Where is order 12?"
    TraceSpan.objects.update(received_at=timezone.now() - timedelta(days=2))
    assert sweep_spans() == 1
    assert sweep_spans() == 0
    assert Run.objects.count() == 1


def test_calls_of_a_model_without_an_agent_go_on_until_an_answer(agent: Agent, api: ApiClient) -> None:
    first, tool, second, _root = agent_trace()
    server = span(1, 77, took=4, kind=2, attributes={"http.route": "/chat"})
    other = span(5, 1, at=5, attributes={**CHAT, "gen_ai.input.messages": parts(("user", "And 13?"))})
    api.post(f"{PATH}?agent={agent.pk}", request(first, tool, second, server, other))
    runs = list(Run.objects.order_by("started_at"))
    assert [run.question for run in runs] == ["Where is order 12?", "And 13?"]
    assert said(runs[0]) == WHOLE


def test_an_agent_inside_an_agent_is_part_of_its_run(agent: Agent, api: ApiClient) -> None:
    spans = agent_trace(str(agent.pk))
    inner = span(6, 3, at=1.3, took=0.3, attributes={"gen_ai.operation.name": "invoke_agent"})
    asked = {**CHAT, "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 1}
    deep = span(7, 6, at=1.4, took=0.1, attributes={**asked, "gen_ai.input.messages": parts(("user", "inner"))})
    api.post(PATH, request(deep, inner, *spans))
    run = Run.objects.get()
    assert said(run) == WHOLE
    assert run.input_tokens == 207


def test_a_failed_agent_is_a_failed_run_and_a_failed_tool_a_failed_call(agent: Agent, api: ApiClient) -> None:
    spans = agent_trace(str(agent.pk))
    spans[1]["status"] = {"code": "STATUS_CODE_ERROR", "message": "no such order"}
    spans[3]["status"] = {"code": 2}
    spans[3]["events"] = [{"name": "exception", "attributes": [
        {"key": "exception.message", "value": {"stringValue": "it broke"}}]}]  # fmt: skip
    api.post(PATH, request(*spans))
    run = Run.objects.get()
    assert (run.status, run.error) == ("failed", "it broke")
    assert Message.objects.get(role="tool").outcome == "failed"


CALL_IN_OPENAI = {"id": "call_1", "type": "function", "function": {"name": "find_order", "arguments": '{"number": 12}'}}
SPELLINGS: dict[str, dict[str, Any]] = {
    "present conventions": {
        "attributes": {
            "gen_ai.provider.name": "openai",
            "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be kind."}]),
            "gen_ai.input.messages": parts(ASKED, CALLED, FOUND),
            "gen_ai.output.messages": parts(ANSWERED),
            "gen_ai.usage.input_tokens": 1000,
            "gen_ai.usage.cache_read.input_tokens": 900,
            "gen_ai.usage.output_tokens": 50,
        }
    },
    "structured attributes": {
        "attributes": {
            "gen_ai.provider.name": "openai",
            "gen_ai.system_instructions": [{"type": "text", "content": "Be kind."}],
            "gen_ai.input.messages": json.loads(parts(ASKED, CALLED, FOUND)),
            "gen_ai.output.messages": json.loads(parts(ANSWERED)),
            "gen_ai.usage.input_tokens": 1000,
            "gen_ai.usage.cache_read.input_tokens": 900,
            "gen_ai.usage.output_tokens": 50,
        }
    },
    "events": {
        "attributes": {
            "gen_ai.system": "openai",
            "gen_ai.usage.input_tokens": 1000,
            "gen_ai.usage.input_tokens.cached": 900,
            "gen_ai.usage.output_tokens": 50,
        },
        "events": [
            ("gen_ai.system.message", {"content": "Be kind."}),
            ("gen_ai.user.message", {"content": "Where is order 12?"}),
            ("gen_ai.assistant.message", {"tool_calls": json.dumps([CALL_IN_OPENAI])}),
            ("gen_ai.tool.message", {"id": "call_1", "content": '{"state":"sent"}'}),
            ("gen_ai.choice", {"index": 0, "message": json.dumps({"content": "It was sent on Monday."})}),
        ],
    },
    "prompt and completion": {
        "attributes": {
            "gen_ai.system": "openai",
            "gen_ai.prompt": json.dumps(
                [
                    {"role": "system", "content": "Be kind."},
                    {"role": "user", "content": "Where is order 12?"},
                    {"role": "assistant", "content": None, "tool_calls": [CALL_IN_OPENAI]},
                    {"role": "tool", "tool_call_id": "call_1", "content": '{"state":"sent"}'},
                ]
            ),
            "gen_ai.completion": "It was sent on Monday.",
            "gen_ai.usage.prompt_tokens": 1000,
            "gen_ai.usage.cache_read_input_tokens": 900,
            "gen_ai.usage.completion_tokens": 50,
        }
    },
    "numbered": {
        "attributes": {
            "gen_ai.system": "OpenAI",
            "llm.request.type": "chat",
            "gen_ai.operation.name": "",
            "gen_ai.prompt.0.role": "system",
            "gen_ai.prompt.0.content": "Be kind.",
            "gen_ai.prompt.1.role": "user",
            "gen_ai.prompt.1.content": "Where is order 12?",
            "gen_ai.prompt.2.role": "assistant",
            "gen_ai.prompt.2.tool_calls.0.id": "call_1",
            "gen_ai.prompt.2.tool_calls.0.name": "find_order",
            "gen_ai.prompt.2.tool_calls.0.arguments": '{"number": 12}',
            "gen_ai.prompt.3.role": "tool",
            "gen_ai.prompt.3.tool_call_id": "call_1",
            "gen_ai.prompt.3.content": '{"state":"sent"}',
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": "It was sent on Monday.",
            "gen_ai.usage.prompt_tokens": 1000,
            "gen_ai.usage.cached_tokens": 900,
            "gen_ai.usage.completion_tokens": 50,
        }
    },
    "OpenInference": {
        "attributes": {
            "gen_ai.operation.name": "",
            "openinference.span.kind": "LLM",
            "llm.model_name": "small-1",
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": "Be kind.",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.contents.0.message_content.type": "text",
            "llm.input_messages.1.message.contents.0.message_content.text": "Where is order 12?",
            "llm.input_messages.2.message.role": "assistant",
            "llm.input_messages.2.message.tool_calls.0.tool_call.id": "call_1",
            "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "find_order",
            "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"number": 12}',
            "llm.input_messages.3.message.role": "tool",
            "llm.input_messages.3.message.tool_call_id": "call_1",
            "llm.input_messages.3.message.content": '{"state":"sent"}',
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "It was sent on Monday.",
            "llm.token_count.prompt": 1000,
            "llm.token_count.prompt_details.cache_read": 900,
            "llm.token_count.completion": 50,
        }
    },
}


@pytest.mark.spec("PL-33")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_conventions_says_the_same(agent: Agent, api: ApiClient, spelling: str) -> None:
    sent = SPELLINGS[spelling]
    named = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "small-1"}
    chat = span(1, attributes=named | sent["attributes"], events=sent.get("events", []))
    assert api.post(PATH, request(chat, casebook__agent__id=str(agent.pk))).json() == {}
    run = Run.objects.get()
    assert (run.input_tokens, run.cached_tokens, run.output_tokens, run.model) == (1000, 900, 50, "small-1")
    everything = list(Message.objects.order_by("position"))
    assert [(each.role, each.text) for each in everything] == [("system", "Be kind."), *WHOLE]
    assert everything[2].tool_calls == [{"id": "call_1", "name": "find_order", "arguments": {"number": 12}}]
    assert (everything[3].tool_call_id, everything[3].tool_name) == ("call_1", "find_order")
    assert everything[4].input_tokens == 1000


def test_without_recorded_messages_the_run_still_tells_its_steps(agent: Agent, api: ApiClient) -> None:
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_order"}
    root = span(1, took=3, attributes={"gen_ai.operation.name": "invoke_agent"})
    spans = [
        span(2, 1, at=0.1, attributes=CHAT),
        span(3, 1, at=1.2, attributes=tool),
        span(4, 1, at=2, attributes=CHAT),
    ]
    api.post(f"{PATH}?agent={agent.pk}", request(*spans, root))
    run = Run.objects.get()
    assert [role for role, _text in said(run)] == ["assistant", "tool", "assistant"]
    assert run.tool_call_count == 1


@pytest.mark.spec("PL-33")
def test_what_is_not_taken_is_counted_and_said_and_the_rest_is_stored(agent: Agent, api: ApiClient) -> None:
    nobody = span(1, attributes=CHAT, trace="1" * 32)
    plain = span(8, attributes={"http.route": "/"}, trace="2" * 32)
    broken = span(0, attributes=CHAT)
    good = span(3, attributes={**CHAT, "gen_ai.agent.id": str(agent.pk)})
    answer = api.post(PATH, request(nobody, plain, broken, good)).json()["partialSuccess"]
    assert answer["rejectedSpans"] == "2"
    assert "casebook.agent.id" in answer["errorMessage"]
    assert Run.objects.count() == 1


@pytest.mark.spec("ACC-D9", "ACC-D11")
def test_an_agent_that_is_not_yours_is_as_one_that_is_not_there(cast: Cast, api: ApiClient) -> None:
    foreign = make_agent(cast, owner=cast.stranger)
    answers = [
        api.post(PATH, request(span(1, attributes=CHAT), casebook__agent__id=named)).json()
        for named in (str(foreign.pk), str(uuid4()), "x")
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["partialSuccess"]["rejectedSpans"] == "1"
    for named in (foreign.pk, uuid4(), "x"):
        assert api.post(f"{PATH}?agent={named}", request()).status_code == 404
    assert not Run.objects.exists()
    assert not TraceSpan.objects.exists()


def test_who_may_not_run_the_agent_may_not_send_its_traces(cast: Cast, agent: Agent) -> None:
    viewer = client_of(cast.viewer)
    assert viewer.post(f"{PATH}?agent={agent.pk}", request()).status_code == 403
    answer = viewer.post(PATH, request(span(1, attributes={**CHAT, "gen_ai.agent.id": str(agent.pk)}))).json()
    assert answer["partialSuccess"]["rejectedSpans"] == "1"
    assert not Run.objects.exists()


@pytest.mark.spec("ACC-D35")
def test_words_of_a_person_who_is_being_erased_are_left_out_and_others_are_stored(cast: Cast, api: ApiClient) -> None:
    agent = make_agent(cast)
    person = person_by_external_id(cast.kettle, external_id="leaving")
    erase_person(cast.actor("owner"), person_id=person.pk)
    named = {**CHAT, "gen_ai.agent.id": str(agent.pk)}
    mine = span(1, attributes={**named, "user.id": "leaving"}, trace="1" * 32)
    other = span(2, attributes={**named, "user.id": "staying"}, trace="2" * 32)
    answer = api.post(PATH, request(mine, other)).json()["partialSuccess"]
    assert answer["rejectedSpans"] == "1"
    assert "erased" in answer["errorMessage"]
    assert str(Run.objects.get().person) == "staying"
    assert TraceSpan.objects.count() == 1


def test_another_frameworks_id_of_an_agent_does_not_hide_ours(agent: Agent, api: ApiClient) -> None:
    chat = span(1, attributes={**CHAT, "gen_ai.agent.id": "asst_123"})
    assert api.send("POST", PATH, request(chat), X_Casebook_Agent=str(agent.pk)).json() == {}
    assert Run.objects.get().agent == agent


@pytest.mark.spec("PL-33", "PL-41")
@pytest.mark.parametrize(
    "raw",
    [
        b"x",
        b"[]",
        b"null",
        b'{"resourceSpans": 5}',
        b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":5}]}]}]}',
    ],
)
def test_a_body_that_is_no_trace_is_400_in_the_words_of_otlp(api: ApiClient, raw: bytes) -> None:
    response = api.send("POST", PATH, raw=raw)
    assert response.status_code == 400
    assert response.json()["code"] == 3
    assert response.json()["message"]


@pytest.mark.spec("BC-10")
@pytest.mark.parametrize(
    "inner",
    ['{"doubleValue":NaN}', '{"doubleValue":1e999}', '{"intValue":' + "1" * 5000 + "}", "[" * 5000 + "]" * 5000],
)
def test_numbers_and_nesting_that_break_parsers_are_refused(api: ApiClient, inner: str) -> None:
    body = '{"resourceSpans":[{"resource":{"attributes":[{"key":"a","value":INNER}]}}]}'.replace("INNER", inner)
    assert api.send("POST", PATH, raw=body.encode()).status_code == 400


def test_protobuf_that_is_none_is_400_in_protobuf(api: ApiClient) -> None:
    response = api.send("POST", PATH, raw=b"\xff\xff", content_type="application/x-protobuf")
    assert (response.status_code, response["Content-Type"]) == (400, "application/x-protobuf")
    assert response.content.startswith(b"\x08\x03\x12")


def test_gzip_is_unpacked_and_a_bomb_is_413(agent: Agent, api: ApiClient) -> None:
    body = json.dumps(request(*agent_trace(str(agent.pk)))).encode()
    assert api.send("POST", PATH, raw=gzip.compress(body), Content_Encoding="gzip").status_code == 200
    assert Run.objects.count() == 1
    bomb = gzip.compress(b" " * 40_000_000)
    assert api.send("POST", PATH, raw=bomb, Content_Encoding="gzip").status_code == 413
    assert api.send("POST", PATH, raw=body, Content_Encoding="gzip").status_code == 400
    assert api.send("POST", PATH, raw=gzip.compress(body)[:-9], Content_Encoding="gzip").status_code == 400
    assert api.send("POST", PATH, raw=body, Content_Encoding="br").status_code == 400


def test_a_type_that_is_neither_is_415(api: ApiClient) -> None:
    assert api.send("POST", PATH, raw=b"x", content_type="text/plain").status_code == 415


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PL-33")
@pytest.mark.parametrize("compression", ["none", "gzip"])
def test_the_exporter_that_agents_use_is_understood(live_server: Any, compression: str) -> None:
    cast = make_cast()
    agent = make_agent(cast)
    key = key_of(cast.owner)
    from opentelemetry.exporter.otlp.proto.http import Compression

    exporter = OTLPSpanExporter(
        endpoint=f"{live_server.url}/api/v1/otlp/v1/traces",
        headers={"Authorization": f"Bearer {key}"},
        compression=Compression(compression),
    )
    provider = TracerProvider(resource=Resource.create({"casebook.agent.id": str(agent.pk)}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"}) as root:
        said_in = {"gen_ai.input.messages": parts(ASKED), "gen_ai.output.messages": parts(CALLED)}
        with tracer.start_as_current_span("chat small-1", attributes={**CHAT, **said_in}):
            pass
        with tracer.start_as_current_span("execute_tool find_order") as tool:
            tool.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_order"})
            tool.set_attribute("gen_ai.tool.call.result", '{"state":"sent"}')
        said_out = {"gen_ai.input.messages": parts(ASKED, CALLED, FOUND), "gen_ai.output.messages": parts(ANSWERED)}
        with tracer.start_as_current_span("chat small-1", attributes={**CHAT, **said_out}):
            pass
        root.set_status(Status(StatusCode.OK))
    provider.shutdown()
    run = Run.objects.get()
    assert said(run) == WHOLE
    assert run.trace_id == f"{root.get_span_context().trace_id:032x}"


def test_an_answer_in_protobuf_is_one(cast: Cast, agent: Agent, api: ApiClient) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    sent = ExportTraceServiceRequest()
    one = sent.resource_spans.add().scope_spans.add().spans.add(trace_id=b"a" * 16, span_id=b"b" * 8)
    one.attributes.add(key="gen_ai.operation.name").value.string_value = "chat"
    response = api.send("POST", PATH, raw=sent.SerializeToString(), content_type="application/x-protobuf")
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-protobuf")
    answer = ExportTraceServiceResponse.FromString(response.content)
    assert answer.partial_success.rejected_spans == 1
    assert "casebook.agent.id" in answer.partial_success.error_message
