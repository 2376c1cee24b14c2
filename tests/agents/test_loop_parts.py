"""The parts of the loop: history as it is sent, arguments and schemas, the desk (PL-22)."""

import threading
import time
from collections.abc import Generator
from typing import Any

import anyio
import pytest

from agents.logic.arguments import TooMuchWork, argument_faults, read_arguments
from agents.logic.history import UNFINISHED, sendable
from agents.loop.desk import Desk, attend, run_attended


def call(name: str) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "find", "arguments": "{}"}}


def test_history_is_sent_so_that_each_call_has_one_result_behind_it() -> None:
    messages = [
        {"role": "system", "content": "Older instructions."},
        {"role": "user", "content": "First?"},
        {"role": "assistant", "content": "", "tool_calls": [call("a"), call("b")]},
        {"role": "tool", "tool_call_id": "b", "name": "find", "content": "B"},
        {"role": "user", "content": "Second?"},
        {"role": "assistant", "content": " "},
        {"role": "tool", "tool_call_id": "x", "name": "find", "content": "nobody asked"},
    ]
    assert sendable(messages) == [
        {"role": "user", "content": "First?"},
        {"role": "assistant", "content": None, "tool_calls": [call("a"), call("b")]},
        {"role": "tool", "tool_call_id": "a", "content": UNFINISHED},
        {"role": "tool", "tool_call_id": "b", "content": "B"},
        {"role": "user", "content": "Second?"},
    ]


def test_an_id_used_twice_takes_its_results_in_order() -> None:
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [call("a"), call("a")]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "a", "content": "2"},
    ]
    assert [message["content"] for message in sendable(messages)] == [None, "1", "2"]


@pytest.mark.parametrize(
    ("sent", "value", "wrong"),
    [
        ('{"a": 1}', {"a": 1}, False),
        ("", {}, False),
        (None, {}, False),
        ("[1]", "[1]", True),
        ('{"a": "\\ud800"}', '{"a": "\\ud800"}', True),
        ("{a}", "{a}", True),
        ("[" * 10_000, "[" * 10_000, True),
    ],
)
def test_arguments_are_an_object_or_the_text_as_it_was_sent(sent: Any, value: Any, wrong: bool) -> None:
    found, fault = read_arguments(sent)
    assert (found, bool(fault)) == (value, wrong)


@pytest.mark.parametrize(
    ("schema", "arguments", "right"),
    [
        ({}, {"anything": 1}, True),
        ({"properties": {"n": {"type": "integer"}}}, {"n": 1.0}, True),
        ({"properties": {"n": {"type": "integer"}}}, {"n": 1.5}, False),
        ({"additionalProperties": False}, {"n": 1}, False),
        ({"properties": {"pattern": {"type": "string"}}}, {"pattern": 1}, False),
        ({"properties": {"s": {"pattern": "^(a+)+$"}}}, {"s": "a" * 40 + "b"}, True),
        ({"patternProperties": {"^(a+)+$": False}, "additionalProperties": False}, {"a" * 40 + "b": 1}, True),
        ({"properties": {"s": {"enum": [{"pattern": "x"}]}}}, {"s": {"pattern": "x"}}, True),
        ({"$ref": "#/$defs/o", "$defs": {"o": {"required": ["n"]}}}, {}, False),
    ],
)
def test_arguments_are_held_against_the_schema_and_no_pattern_is_run(schema: Any, arguments: Any, right: bool) -> None:
    assert (argument_faults(schema, arguments) == []) is right


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {
            "$ref": "#/$defs/d0",
            "$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)} | {"d40": {}},
        },
    ],
    ids=["endless", "doubling"],
)
def test_a_schema_that_never_ends_is_given_up(schema: Any) -> None:
    started = time.monotonic()
    with pytest.raises(TooMuchWork):
        argument_faults(schema, {"n": 1})
    assert time.monotonic() - started < 10


def test_work_is_done_in_the_starting_thread_and_what_is_shown_comes_in_order() -> None:
    async def talk(desk: Desk[Any]) -> str:
        desk.show(1)
        worker = await desk.do(threading.get_ident)
        desk.show(worker)
        return "done"

    def all_of(steps: Generator[Any, None, str]) -> Generator[Any, None, None]:
        result = yield from steps
        yield result

    assert list(all_of(attend(talk))) == [1, threading.get_ident(), "done"]
    assert run_attended(talk) == "done"


def test_what_work_raises_reaches_the_coroutine_and_what_that_raises_reaches_the_starter() -> None:
    async def talk(desk: Desk[Any]) -> None:
        await desk.do(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        run_attended(talk)


def test_none_comes_while_nothing_is_shown() -> None:
    async def talk(_desk: Desk[Any]) -> None:
        await anyio.sleep(0.2)

    assert None in list(attend(talk, idle_seconds=0.05))


def test_closing_cancels_and_still_does_what_is_shielded() -> None:
    done: list[str] = []

    async def talk(desk: Desk[Any]) -> None:
        desk.show("begun")
        try:
            await anyio.sleep(60)
        finally:
            with anyio.CancelScope(shield=True):
                await desk.do(lambda: done.append("kept"))

    started = time.monotonic()
    steps = attend(talk)
    assert next(steps) == "begun"
    steps.close()
    assert done == ["kept"]
    assert time.monotonic() - started < 5
