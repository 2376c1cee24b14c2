"""A child process that dies or falls silent: its questions are asked again, and the culprit alone pays (SC-80)."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.logic import checking_child
from scoring.logic.checking_child import HEAVY, Asked, Asking, CheckingChild

# Speaks as the real one does, but dies of "die", falls silent at "hang", and of a path dies only the first time.
MALICIOUS = """
import json, os, sys, time
print("ready", flush=True)
told = []
given = sys.stdin.buffer
while line := given.readline():
    lengths, _space, asked = line.partition(b" ")
    texts = [given.read(int(length)).decode() for length in lengths.split(b",")]
    questions, new, forget = json.loads(asked)
    if forget: told.clear()
    told += [rule for _kind, rule, _flag in new]
    replies = []
    for place, number in questions:
        rule = told[number]
        if rule == "die" and texts[place] == "bad": os._exit(3)
        if rule == "hang" and texts[place] == "bad": time.sleep(60)
        if rule.startswith("/") and not os.path.exists(rule): open(rule, "w"); os._exit(3)
        replies.append([rule, texts[place]])
    print(json.dumps(replies), flush=True)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CheckingChild]:
    program = tmp_path / "program.py"
    program.write_text(MALICIOUS)
    monkeypatch.setattr(checking_child, "PROGRAM", program)
    monkeypatch.setattr(checking_child, "PATIENCE_SECONDS", 0.6)
    with CheckingChild() as one:
        yield one


def asked(text: str, *rules: str) -> Asked:
    return Asked([text], tuple((0, Asking("regex", rule, False)) for rule in rules))


def settled(child: CheckingChild, *questions: Asked) -> list[list[list[str]]]:
    for one in questions:
        child.ask(one)
    child.settle()
    return [one.replies for one in questions]


def test_each_question_gets_its_own_reply(child: CheckingChild) -> None:
    assert settled(child, asked("a", "x", "y"), asked("b", "y"), asked("c", "x")) == [
        [["x", "a"], ["y", "a"]],
        [["y", "b"]],
        [["x", "c"]],
    ]


@pytest.mark.parametrize("culprit", ["die", "hang"])
def test_what_makes_the_child_die_or_fall_silent_costs_its_own_reply(child: CheckingChild, culprit: str) -> None:
    found = settled(
        child, asked("a", "x", culprit), asked("bad", "x", culprit, "y"), asked("c", culprit), asked("d", "x")
    )
    assert found == [
        [["x", "a"], [culprit, "a"]],
        [["x", "bad"], HEAVY, ["y", "bad"]],
        [[culprit, "c"]],
        [["x", "d"]],
    ]


def test_what_died_once_is_asked_again_alone(child: CheckingChild, tmp_path: Path) -> None:
    once = str(tmp_path / "once")
    assert settled(child, asked("a", "x", once), asked("b", once)) == [[["x", "a"], [once, "a"]], [[once, "b"]]]


def test_what_makes_children_die_on_answer_after_answer_is_asked_no_more(
    child: CheckingChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = []
    real = checking_child.subprocess.Popen
    monkeypatch.setattr(
        checking_child.subprocess, "Popen", lambda *args, **more: starts.append(1) or real(*args, **more)
    )
    found = settled(child, *(asked("bad", "x", "die") for _ in range(50)))
    assert found == [[["x", "bad"], HEAVY]] * 50
    # Each of three is found out with three deaths: among others, alone, and once more.
    assert len(starts) <= 10


def test_a_child_that_is_killed_from_outside_is_replaced(child: CheckingChild) -> None:
    settled(child, asked("a", "x"))
    assert child._process is not None
    os.kill(child._process.pid, signal.SIGKILL)
    assert settled(child, asked("b", "x", "y")) == [[["x", "b"], ["y", "b"]]]


def test_a_program_that_does_not_start_is_an_error_of_ours(child: CheckingChild, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("raise SystemExit(1)")
    with pytest.raises(RuntimeError, match="does not start"):
        settled(child, asked("a", "x"))


def test_stopping_forgets_what_was_asked(child: CheckingChild) -> None:
    one = asked("a", "x")
    child.ask(one)
    child.stop()
    child.settle()
    assert list(one.replies) == [HEAVY]
    assert settled(child, asked("b", "x")) == [[["x", "b"]]]
