"""Reading what comes from outside never fails in another way than by naming what is wrong (BC-10)."""

from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from activity.logic import otel_kinds
from activity.logic.openai_messages import KNOWN as MESSAGE_KEYS
from activity.logic.openai_messages import SentMessage, read_messages
from activity.logic.otel_kinds import Node, content_of
from activity.logic.otel_runs import groups_of, run_of
from activity.logic.otel_spans import NotOtlp, WireEvent, WireSpan, spans_of_json
from activity.logic.overlap import already_there
from activity.logic.sent_feedback import read_feedback
from activity.logic.sent_runs import KNOWN as RUN_KEYS
from activity.logic.sent_runs import read_runs
from activity.logic.words import words_and_answers

ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TIMES = st.sampled_from(["2026-11-30T08:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "2026-W01"])
PARTS = st.fixed_dictionaries({"type": st.sampled_from(["text", "tool_call", "tool_call_response", "x"])}, optional={
    "text": ANY, "content": ANY, "id": ANY, "name": ANY, "arguments": ANY, "response": ANY})  # fmt: skip
CALLS = st.fixed_dictionaries({}, optional={"id": ANY, "function": ANY, "name": ANY, "custom": ANY, "arguments": ANY})
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"]) | ANY},
    optional={name: ANY for name in MESSAGE_KEYS if name != "role"}
    | {"content": st.text(max_size=5) | st.lists(PARTS, max_size=2) | ANY, "tool_calls": st.lists(CALLS, max_size=2)},
)
RUNS = st.fixed_dictionaries(
    {"agent": st.just("0197a0c2-7d1e-7c3f-8a55-3f0f5b0d2a11") | ANY},
    optional={name: ANY for name in RUN_KEYS if name != "agent"}
    | {"messages": st.lists(MESSAGES, max_size=3), "started_at": TIMES, "finished_at": TIMES},
)


@settings(max_examples=200, deadline=None)
@given(ANY | RUNS | st.lists(RUNS, max_size=3))
def test_any_body_is_read_or_its_problems_are_named(body: Any) -> None:
    runs, problems = read_runs(body)
    assert runs or problems
    assert all(isinstance(problem.field, str) and problem.text % problem.values for problem in problems)
    feedback, wrong = read_feedback(body)
    assert feedback or wrong


NAMES = sorted(
    {"gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "gen_ai.prompt.0",
     "gen_ai.prompt.0.role",
     "gen_ai.prompt.0.tool_calls.0.name", "gen_ai.prompt.1.content", "gen_ai.prompt", "gen_ai.completion",
     "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions", "llm.input_messages.0.message",
     "llm.input_messages.0.message.content", "gen_ai.completion.0.content.x", "gen_ai.tool.name", "gen_ai.tool.call.id",
     *otel_kinds.PERSON, *otel_kinds.CONVERSATION, *otel_kinds.MODEL, *otel_kinds.INPUT_TOKENS, *otel_kinds.COST,
     *otel_kinds.CACHED_TOKENS, *otel_kinds.TOOL_INPUT, *otel_kinds.TOOL_OUTPUT}
)  # fmt: skip
KINDS = st.sampled_from(["chat", "invoke_agent", "execute_tool", "embeddings"])
ATTRIBUTES = st.dictionaries(st.sampled_from(NAMES), ANY | st.lists(MESSAGES | PARTS, max_size=2), max_size=6)
EVENTS = st.builds(
    WireEvent,
    st.sampled_from(["gen_ai.user.message", "gen_ai.choice", "gen_ai.content.prompt", "exception"]),
    st.dictionaries(st.sampled_from(["content", "message", "tool_calls", "id", "gen_ai.prompt"]), ANY, max_size=3),
)
SPANS = st.builds(
    WireSpan,
    st.just("a" * 32),
    st.sampled_from(["1" * 16, "2" * 16, "3" * 16]),
    st.sampled_from(["", "1" * 16, "2" * 16, "3" * 16, "4" * 16]),
    attributes=st.builds(lambda kind, more: {**more, "gen_ai.operation.name": kind}, KINDS, ATTRIBUTES) | ATTRIBUTES,
    events=st.lists(EVENTS, max_size=2),
    status=st.sampled_from([0, 1, 2]),
    started_ns=st.integers(0, 2**62),
    ended_ns=st.integers(2**62, 2**63 - 1),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(SPANS, max_size=4))
def test_spans_with_anything_in_them_become_runs_that_can_be_stored(spans: list[WireSpan]) -> None:
    nodes = [Node(span.span_id, span.parent_id, span.started_ns, span.ended_ns, content_of(span)) for span in spans]
    for group in groups_of(nodes):
        run = run_of(group, trace_id="a" * 32, agent_id=UUID(int=1))
        assert run.messages
        for message in run.messages:
            assert isinstance(message.text, str)
            assert all(isinstance(call["id"], str) and call["name"] for call in message.tool_calls)
            assert (message.outcome != "") <= (message.role == "tool")


@settings(max_examples=200, deadline=None)
@given(ANY | st.fixed_dictionaries({"resourceSpans": ANY | st.lists(st.fixed_dictionaries({"scopeSpans": ANY}))}))
def test_json_that_is_no_trace_is_refused_in_one_way(body: Any) -> None:
    with suppress(NotOtlp):
        assert isinstance(spans_of_json(body), list)


@pytest.mark.parametrize(
    ("stored", "sent", "old"),
    [
        ("", "qa", 0),
        ("qa", "qaQA", 2),
        ("qaQA", "qaQAxy", 4),
        ("qaQA", "QAxy", 2),
        ("qa", "qa", 0),
        ("qa", "xy", 0),
        ("qaxa", "ay", 0),
        ("q", "qa", 1),
        ("qa", "q", 0),
        ("abab", "ababx", 4),
    ],
)
def test_what_a_conversation_has_already(stored: str, sent: str, old: int) -> None:
    assert already_there(list(stored), list(sent)) == old


def test_the_answers_to_somebody_end_where_another_asks() -> None:
    said = [SentMessage(role, text) for role, text in (
        ("system", "s"), ("assistant", "hello"), ("user", "mine"), ("user", "yours"), ("assistant", "both"),
        ("user", "yours"), ("assistant", "not mine"), ("user", "mine"), ("tool", "found"),
        ("assistant", "mine"))]  # fmt: skip
    found = words_and_answers(said, lambda message: message.text == "mine")
    texts = [([each.text for each in words], [each.text for each in answers]) for words, answers in found]
    assert texts == [(["mine"], ["both"]), (["mine"], ["found", "mine"])]


def test_a_tools_message_learns_its_tools_name_from_the_call() -> None:
    call = {"id": "1", "function": {"name": "find", "arguments": {}}}
    wrong: list[Any] = []
    messages = read_messages(
        [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "1", "content": "x"}], wrong
    )
    assert (wrong, messages[1].tool_name) == ([], "find")


def test_what_is_wrong_in_a_call_of_the_older_form_is_named_at_its_place() -> None:
    older = [{"role": "assistant", "function_call": 5}, {"role": "assistant", "function_call": {"name": 7}}]
    _runs, problems = read_runs({"agent": "0197a0c2-7d1e-7c3f-8a55-3f0f5b0d2a11", "messages": older})
    said = {problem.field: problem.text % problem.values for problem in problems}
    assert said["messages.0.function_call"] == "This must be an object, not a number."
    assert "%" not in said["messages.1.function_call.name"]
