"""What the child process answers, asked without the process (SC-79, SC-80, SC-D28, SC-D29)."""

import json
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.logic.checking_program import Answers


@pytest.fixture
def answers() -> Iterator[Answers]:
    before = signal.getsignal(signal.SIGPROF)
    yield Answers(1.0, 0.1, 0.3, 0.35)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def ask(
    answers: Answers, texts: list[str], questions: list[tuple[int, int]], new: list[Any], forget: bool = False
) -> list[list[Any]]:
    return json.loads(answers.line(json.dumps([questions, new, forget]).encode(), texts))


def regex(value: str, ignores_case: bool = True) -> list[Any]:
    return ["regex", value, ignores_case]


def schema(value: Any) -> list[Any]:
    return ["schema", json.dumps(value), False]


def test_rules_are_told_once_and_named_by_their_numbers(answers: Answers) -> None:
    assert ask(answers, ["Ab", "b"], [(0, 0), (1, 0), (0, 1)], [regex("^A"), regex("^ab", False)]) == [
        ["yes", ""],
        ["no", ""],
        ["no", ""],
    ]
    assert ask(answers, ["ab"], [(0, 0), (0, 2), (0, 1)], [schema({"type": "object"})]) == [
        ["yes", ""],
        ["unread", ""],
        ["yes", ""],
    ]
    assert ask(answers, ["[]"], [(0, 0)], [schema({"items": False})], forget=True) == [["yes", ""]]
    assert ask(answers, ["[1]"], [(0, 0)], []) == [["no", ["0", "items", "false"]]]


@pytest.mark.parametrize(
    ("rule", "text", "reply"),
    [
        (regex("("), "a", ["invalid", "missing ) at position 1"]),
        (regex("a" * 300 + "("), "a", ["invalid", "missing ) at position 301"]),
        (schema({"type": "x" * 300}), "1", ["invalid", ('"' + "x" * 300)[:200]]),
        (schema({"minimum": "a"}), "1", ["invalid", '"a" is not of type "number"']),
        (schema({"$ref": "#"}), "1", ["deep", ""]),
        (schema({}), "[" * 5_000, ["deep", ""]),
        (schema({}), "1e999", ["number", ""]),
        (schema({}), "NaN", ["unread", ""]),
        (schema({"const": "é"}), "1", ["no", ["", "const", '"é"']]),
    ],
)
def test_each_fault_has_its_word(answers: Answers, rule: list[Any], text: str, reply: list[Any]) -> None:
    assert ask(answers, [text], [(0, 0), (0, 0)], [rule]) == [reply, reply]


def test_slow_patterns_are_stopped_and_then_given_up(answers: Answers) -> None:
    began = time.process_time()
    texts = ["a" * 60 + "b", "1"]
    replies = ask(answers, texts, [(0, 0), (1, 1)] * 8, [regex("^(a|aa)+$"), schema({})])
    assert time.process_time() - began < 3
    words = [reply[0] for reply in replies]
    assert words[0::2][0] == "slow"
    assert words[0::2][-1] == "worn"
    assert words[1::2] == ["yes"] * 8
    assert ask(answers, texts, [(0, 0)], [regex("^(a|aa)+$")], forget=True) == [["worn", ""]]


def test_a_pattern_that_takes_long_to_read_is_heavy() -> None:
    before = signal.getsignal(signal.SIGPROF)
    own = Answers(0.02, 0.1, 0.3, 5)
    assert ask(own, ["a"], [(0, 0)], [regex("|".join(f"{n}[{n}-z]*" for n in range(10)) * 400)]) == [["heavy", ""]]
    assert ask(own, ["a"], [(0, 1)], [regex("a")]) == [["yes", ""]]
    signal.signal(signal.SIGPROF, before)


def test_memory_that_runs_out_while_reading_is_given_back_once(
    answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(answers, ["a"], [(0, 0)], [regex("a")])
    real, left = answers._made, [MemoryError(), None, MemoryError(), MemoryError()]

    def made(*told: Any) -> Any:
        if left and (error := left.pop(0)):
            raise error
        return real(*told)

    monkeypatch.setattr(answers, "_made", made)
    assert ask(answers, ["b"], [(0, 1)], [regex("b")]) == [["yes", ""]]
    assert list(answers._ready) == [1]
    assert ask(answers, ["c"], [(0, 2)], [regex("c")]) == [["heavy", ""]]
    assert ask(answers, ["a", "b"], [(0, 0), (1, 1), (1, 2)], []) == [["yes", ""], ["yes", ""], ["heavy", ""]]


def test_memory_that_runs_out_while_matching_is_heavy(answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hungry:
        def reply(self, _text: str) -> Any:
            raise MemoryError

    monkeypatch.setattr(answers, "_made", lambda *_told: Hungry())
    assert ask(answers, ["a"], [(0, 0)], [regex("a")]) == [["heavy", ""]]
    assert answers._ready == {}
