"""Putting streamed replies together, whatever habits a provider has (PL-20)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.logic.pieces import Assembly, NotAChunk
from agents.logic.usage import Usage
from tests.agents.provider_server import call_piece, completion, piece, usage_piece


def assembled(*chunks: Any) -> Assembly:
    taken = Assembly()
    for chunk in chunks:
        taken.add(chunk)
    return taken


def calls(*pieces: Any) -> list[tuple[str, str, str]]:
    taken = assembled(*(piece(calls=[one] if isinstance(one, dict) else one) for one in pieces))
    return [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in taken.tool_calls()]


def whole(index: int | None, name: str | None = None) -> Any:
    """A call in one piece."""
    return call_piece(index, '{"a":1}', name="x", id=name)


def begun(index: int | None = 0) -> Any:
    return call_piece(index, '{"a"', name="x", id="1")


def test_pieces_of_calls_are_told_apart_by_their_index() -> None:
    assert calls(
        call_piece(0, "", name="search", id="a"),
        call_piece(1, "", name="book", id="b"),
        call_piece(0, '{"q":'),
        [call_piece(1, '{"n": 1}'), call_piece(0, ' "tea"}')],
    ) == [("a", "search", '{"q": "tea"}'), ("b", "book", '{"n": 1}')]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([whole(None, "1"), whole(None, "2")], [("1", "x", '{"a":1}'), ("2", "x", '{"a":1}')]),
        ([whole(0, "1"), whole(0, "2")], [("1", "x", '{"a":1}'), ("2", "x", '{"a":1}')]),
        ([whole(0), whole(0)], [("call_1", "x", '{"a":1}'), ("call_2", "x", '{"a":1}')]),
        ([begun(), call_piece(0, ":1}", name="x", id="1")], [("1", "x", '{"a":1}')]),
        ([begun(), call_piece(0, ":1}", name="", id="")], [("1", "x", '{"a":1}')]),
        ([begun(None), call_piece(None, ":1}")], [("1", "x", '{"a":1}')]),
        ([call_piece(0, {"a": 1}, name="x", id="1")], [("1", "x", '{"a": 1}')]),
        ([whole(0, "1"), whole(1, "1")], [("1", "x", '{"a":1}'), ("call_2", "x", '{"a":1}')]),
        ([call_piece(0, name="x", id="1")], [("1", "x", "{}")]),
        ([call_piece(0, "{}", id="1")], []),
    ],
    ids=["no index", "one index", "no ids", "repeated", "empty", "appended", "object", "twice", "no text", "no name"],
)  # fmt: skip
def test_habits_of_providers(pieces: list[Any], expected: list[Any]) -> None:
    assert calls(*pieces) == expected


def test_usage_is_read_from_the_last_chunk_or_as_the_last_of_running_sums_and_may_be_missing() -> None:
    assert assembled(piece("a", finish="stop"), usage_piece()).usage == Usage(12, 0, 3)
    running = [piece("a") | {"usage": {"prompt_tokens": 5, "completion_tokens": n}} for n in (1, 2)]
    assert assembled(*running, piece(finish="stop") | {"usage": None}).usage == Usage(5, 0, 2)
    assert assembled(piece("a"), piece(finish="stop")).usage is None


def test_text_refusal_end_and_model_are_kept() -> None:
    taken = assembled(piece("Hel", role="assistant"), piece([{"type": "text", "text": "lo"}]), piece(refusal="No."))
    taken.add(piece(finish="content_filter") | {"model": "small-1-2026"})
    assert (taken.text, taken.refusal, taken.finish_reason, taken.model) == (
        "Hello", "No.", "content_filter", "small-1-2026",
    )  # fmt: skip


def test_a_whole_completion_is_read_too() -> None:
    taken = assembled(completion("Hello."))
    assert (taken.text, taken.finish_reason, taken.usage) == ("Hello.", "stop", Usage(12, 0, 3))


@pytest.mark.parametrize(
    "chunk",
    [None, [1], "x", {"choices": {}}, {"choices": [1]}, {"choices": [{"delta": 1}]}, piece(5), piece(calls={"a": 1}),
     piece(calls=[1]), piece(calls=[{"function": [1]}])],
)  # fmt: skip
def test_what_is_no_chunk_is_said(chunk: Any) -> None:
    with pytest.raises(NotAChunk):
        assembled(chunk)


@given(st.lists(st.dictionaries(st.text(max_size=5), st.integers(), max_size=3), max_size=4), st.data())
def test_however_arguments_are_cut_they_come_back_whole(arguments: list[dict[str, int]], data: st.DataObject) -> None:
    texts = [json.dumps(one) for one in arguments]
    cut = []
    for index, text in enumerate(texts):
        at = data.draw(st.integers(1, len(text) - 1))
        cut += [call_piece(index, text[:at], name="x", id=f"c{index}"), call_piece(index, text[at:])]
    assert [found for _id, _name, found in calls(*cut)] == texts
