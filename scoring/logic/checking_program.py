"""The program of CheckingChild: a question and texts in, a line of JSON out, until its input ends. Started by its path.

In: a line with the lengths of the texts in bytes, a space, and `[questions, new, forget]`; then the texts, in UTF-8. A
question is the place of its text and the number of a pattern or schema; `new` are those that get the next numbers, each
`[kind, pattern or schema as JSON, ignores case]`; `forget` says that the numbers begin anew. Out: `[word, detail]` for
each question; the words are those of `checking_child.Reply`.
"""

import json
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import regex

# `python -I` knows no folder of ours.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from scoring.logic.schemas import NotRead, Schema, SchemaFault, TooLarge, read_value

# A bug of the timer must not make a stopped rule free of cost.
LEAST_SECONDS_LOST = 0.05
# An answer of many levels under a schema of many takes a few frames for each.
MOST_FRAMES = 5_000
# So many lines that came or went before are kept.
MOST_KEPT = 1_000
# What comes of a pattern or a schema that was stored before it would have been refused, and that nothing foresees.
FAULTS = (SchemaFault, regex.error, ValueError, TypeError, ArithmeticError, LookupError, AttributeError)

Reply = list[Any]
Told = tuple[str, str, bool]
Given = TypeVar("Given")


class Stopped(Exception):
    """The time is up."""


class Ready(Protocol):
    """What answers for one pattern or schema."""

    def reply(self, text: str) -> Reply:
        """Whether the text does what is asked."""


class Always:
    """Stands for what cannot be used, and says so to every text."""

    def __init__(self, word: str, detail: str = "") -> None:
        self._reply: Reply = [word, detail]

    def reply(self, _text: str) -> Reply:
        return self._reply


class Pattern:
    """A compiled pattern."""

    def __init__(self, pattern: str, ignores_case: bool, seconds: float) -> None:
        self._search = regex.compile(pattern, regex.IGNORECASE if ignores_case else 0).search
        self._seconds = seconds

    def reply(self, text: str) -> Reply:
        return ["no", ""] if self._search(text, timeout=self._seconds) is None else ["yes", ""]


class ReadSchema:
    """A schema that was made ready."""

    def __init__(self, schema: str, seconds: float) -> None:
        self._schema = Schema(json.loads(schema))
        self._seconds = seconds

    def reply(self, text: str) -> Reply:
        value = read_value(text)
        # The library runs on until it is done: where that takes too long, this process ends and the next one goes on.
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)
        try:
            broken = self._schema.fault(value)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if broken is None:
            return ["yes", ""]
        return ["no", [broken.place, broken.keyword, json.dumps(broken.asked, ensure_ascii=False)]]


class Clock:
    """Interrupts work that takes too much of the processor; again and again, where a library swallows it."""

    def __init__(self) -> None:
        self._runs = False
        signal.signal(signal.SIGPROF, self._ring)

    def bounded(self, seconds: float, work: Callable[[], Given]) -> Given:
        """What `work` gives; raises `Stopped` where it takes longer."""
        self._runs = True
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.02)
        try:
            return work()
        finally:
            self._runs = False
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _ring(self, _signal: int, _frame: Any) -> None:
        if self._runs:
            raise Stopped


class Answers:
    """Answers questions; keeps what it was told, ready to use, and what was lost on what had to be stopped."""

    def __init__(self, read_seconds: float, match_seconds: float, schema_seconds: float, lost_seconds: float) -> None:
        self._read_seconds = read_seconds
        self._match_seconds = match_seconds
        self._schema_seconds = schema_seconds
        self._most_seconds_lost = lost_seconds
        self._clock = Clock()
        self._told: list[Told] = []
        self._ready: dict[int, Ready] = {}
        self._lost: dict[Told, float] = {}
        # What came before, so that it is read and written once.
        self._asked: dict[bytes, list[tuple[int, int]]] = {}
        self._lines: dict[tuple[str, ...], str] = {}

    def line(self, asked: bytes, texts: list[str]) -> str:
        """The replies to what one line asks of the texts."""
        questions = self._asked.get(asked) or self._read(asked)
        replies = [self._reply(texts[place], number) for place, number in questions]
        words = tuple([word for word, detail in replies if not detail])
        if len(words) < len(replies):
            return json.dumps(replies)
        line = self._lines.get(words)
        if line is None:
            line = json.dumps(replies)
            if len(self._lines) < MOST_KEPT:
                self._lines[words] = line
        return line

    def _read(self, asked: bytes) -> list[tuple[int, int]]:
        questions, new, forget = json.loads(asked)
        if forget:
            self._told.clear()
            self._ready.clear()
            self._asked.clear()
            self._lines.clear()
        self._told += [(kind, rule, ignores_case) for kind, rule, ignores_case in new]
        if not new and not forget and len(self._asked) < MOST_KEPT:
            self._asked[asked] = questions
        return questions

    def _reply(self, text: str, number: int) -> Reply:
        told = self._told[number]
        if self._lost and self._lost.get(told, 0) > self._most_seconds_lost:
            return ["worn", ""]
        began = time.process_time()
        try:
            return (self._ready.get(number) or self._made_ready(number)).reply(text)
        except (Stopped, TimeoutError):
            lost = max(LEAST_SECONDS_LOST, time.process_time() - began)
            self._lost[told] = self._lost.get(told, 0) + lost
            return ["slow", ""]
        except NotRead:
            return ["unread", ""]
        except TooLarge:
            return ["number", ""]
        except RecursionError:
            return ["deep", ""]
        except FAULTS as fault:
            return ["invalid", words_of(fault)]
        except MemoryError:
            self._ready.clear()
            return ["heavy", ""]

    def _made_ready(self, number: int) -> Ready:
        try:
            ready = self._made_in_time(number)
        except MemoryError:
            # The others that are ready may hold the memory that this one needs.
            self._ready.clear()
            try:
                ready = self._made_in_time(number)
            except MemoryError:
                ready = Always("heavy")
        self._ready[number] = ready
        return ready

    def _made_in_time(self, number: int) -> Ready:
        try:
            return self._clock.bounded(self._read_seconds, lambda: self._made(*self._told[number]))
        except Stopped:
            return Always("heavy")

    def _made(self, kind: str, rule: str, ignores_case: bool) -> Ready:
        try:
            if kind == "schema":
                return ReadSchema(rule, self._schema_seconds)
            return Pattern(rule, ignores_case, self._match_seconds)
        except (*FAULTS, RecursionError) as fault:
            return Always("invalid", words_of(fault))


def words_of(fault: BaseException) -> str:
    """What it says, or its name where it says nothing."""
    return (str(fault) or type(fault).__name__)[:200]


def main(memory: str, *seconds: str) -> None:
    answers = Answers(*map(float, seconds))
    sys.setrecursionlimit(MOST_FRAMES)
    say("ready")
    # From here on no file and no connection can be opened.
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    given = sys.stdin.buffer
    while line := given.readline():
        lengths, _space, asked = line.partition(b" ")
        texts = [given.read(int(length)).decode("utf-8", "surrogatepass") for length in lengths.split(b",")]
        say(answers.line(asked, texts))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
