"""The program of CheckingChild: a line of JSON in, a line of JSON out, until its input ends. Started by its path.

In: `[texts, questions]`, where a question is `["regex", place of its text, pattern, ignore case]` or
`["schema", place of its text, the schema as JSON, false]`. Out: `[word, detail]` for each question; the words are those
of `checking_child.Reply`.
"""

import json
import resource
import signal
import sys
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any, Protocol

import regex

# `python -I` knows no folder of ours.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from scoring.logic.schemas import Schema, SchemaFault, TooDeep, TooLarge, read_value

# How many patterns and schemas are kept ready to use.
KEPT = 256
# What one of them may lose in all by being stopped; then it is not tried on further answers.
MOST_SECONDS_LOST = 5.0
# Faults of the pattern engine on patterns that it does not foresee are faults of the pattern.
PATTERN_FAULTS = (regex.error, ValueError, TypeError, RecursionError, IndexError, KeyError, AttributeError)

Key = tuple[str, str, bool]
Reply = list[Any]


class Stopped(Exception):
    """The time is up."""


class Ready(Protocol):
    """What answers for one pattern or schema."""

    def reply(self, text: str) -> Reply: ...


class Always:
    """Stands for what cannot be used, and says so to every text."""

    def __init__(self, word: str, detail: str = "") -> None:
        self._reply = [word, detail]

    def reply(self, _text: str) -> Reply:
        return self._reply


class Pattern:
    """A compiled pattern."""

    def __init__(self, pattern: str, ignore_case: bool) -> None:
        self._search = regex.compile(pattern, regex.IGNORECASE if ignore_case else 0).search

    def reply(self, text: str) -> Reply:
        return ["no", ""] if self._search(text, timeout=MATCH_SECONDS) is None else ["yes", ""]


class ValidSchema:
    """A schema that was read."""

    def __init__(self, schema: str) -> None:
        self._schema = Schema(json.loads(schema))

    def reply(self, text: str) -> Reply:
        fault = bounded(SCHEMA_SECONDS, lambda: self._schema.fault(read_value(text)))
        return ["yes", ""] if fault is None else ["no", list(fault)]


class Clock:
    """Interrupts work that takes too much of the processor; again and again, where a library swallows it."""

    def __init__(self) -> None:
        self.runs = False
        signal.signal(signal.SIGPROF, self._ring)

    def _ring(self, _signal: int, _frame: Any) -> None:
        if self.runs:
            raise Stopped


def bounded(seconds: float, work: Any) -> Any:
    """What `work` gives; raises `Stopped` where it takes longer."""
    CLOCK.runs = True
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.02)
    try:
        return work()
    finally:
        CLOCK.runs = False
        signal.setitimer(signal.ITIMER_PROF, 0)


class Answers:
    """Answers questions; keeps what it read last, and what was lost on what had to be stopped."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, Ready] = OrderedDict()
        self._lost: dict[Key, float] = {}

    def line(self, line: str) -> str:
        texts, questions = json.loads(line)
        return json.dumps([self._reply(texts[place], (kind, rule, flag)) for kind, place, rule, flag in questions])

    def _reply(self, text: str, key: Key) -> Reply:
        if self._lost and self._lost.get(key, 0) > MOST_SECONDS_LOST:
            return ["worn", ""]
        began = time.process_time()
        try:
            return self._ready(key).reply(text)
        except (Stopped, TimeoutError):
            self._lost[key] = self._lost.get(key, 0) + time.process_time() - began
            return ["slow", ""]
        except (TooDeep, RecursionError):
            return ["deep", ""]
        except TooLarge:
            return ["number", ""]
        except SchemaFault as fault:
            return ["invalid", str(fault)[:200]]
        except MemoryError:
            self._kept.clear()
            return ["heavy", ""]

    def _ready(self, key: Key) -> Ready:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        try:
            ready = bounded(READ_SECONDS, lambda: self._made(key))
        except Stopped:
            ready = Always("heavy")
        except MemoryError:
            # What is kept may hold the memory that this one needs.
            self._kept.clear()
            ready = self._made_alone(key)
        self._kept[key] = ready
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return ready

    def _made_alone(self, key: Key) -> Ready:
        try:
            return bounded(READ_SECONDS, lambda: self._made(key))
        except (Stopped, MemoryError):
            return Always("heavy")

    def _made(self, key: Key) -> Ready:
        kind, rule, ignore_case = key
        try:
            return Pattern(rule, ignore_case) if kind == "regex" else ValidSchema(rule)
        except SchemaFault as fault:
            return Always("invalid", str(fault)[:200])
        except PATTERN_FAULTS as error:
            return Always("invalid", (str(error) or type(error).__name__)[:200])


def main() -> None:
    answers = Answers()
    say("ready")
    # From here on no file and no connection can be opened.
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in sys.stdin:
        say(answers.line(line))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    MEMORY = int(sys.argv[1])
    READ_SECONDS, MATCH_SECONDS, SCHEMA_SECONDS = map(float, sys.argv[2:5])
    CLOCK = Clock()
    main()
