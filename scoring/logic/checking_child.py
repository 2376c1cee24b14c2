"""CheckingChild: runs patterns and schemas on answers in a process of its own, bounded in memory and time.

A pattern may exhaust memory while it is compiled, a schema may run without end; neither can be stopped from inside the
process that grades (SC-79, SC-80, SC-D28, SC-D29). So they run in a child that stops each in time, and that is
replaced where it dies or no longer answers. What it then owes is asked of the next child, one question at a time where
one of them was the culprit, so that each costs its own result and no other.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, NamedTuple, Self

from core.limits import LIMITS
from core.reading_child import end_child

PROGRAM = Path(__file__).with_name("checking_program.py")
# All of it: no key of the server's environment is there to be read.
ENVIRONMENT = {"PYTHONIOENCODING": "utf-8"}
START_SECONDS = 20.0
# The child counts time of the processor, which takes longer on a busy machine.
PATIENCE_SECONDS = 2.0
READ_BYTES = 1 << 16
MOST_BYTES_WAITING = 1 << 20
# What made children die or fall silent on this many answers is asked about no further one.
MOST_DEATHS = 3
# What a pattern may lose in all by being stopped; then it is not tried on further answers.
MOST_SECONDS_LOST = 5.0
# How many patterns and schemas the child keeps.
MOST_TOLD = 500


class Asking(NamedTuple):
    """A pattern, or a schema as JSON."""

    kind: Literal["regex", "schema"]
    rule: str
    ignores_case: bool


# A word and its details: yes; no; slow; worn (slow so often that it was not tried); heavy; invalid; unread (the answer
# is no JSON); deep; number (one of the answer's is too large to compute with).
Reply = list[Any]
HEAVY: Reply = ["heavy", ""]


class _Gone(Exception):
    """The child died."""


@dataclass(eq=False)
class Asked:
    """Questions about one answer: its texts once, what is asked of which, and a reply to each when it is there."""

    texts: list[str]
    questions: list[tuple[int, Asking]]

    def __post_init__(self) -> None:
        self.replies: list[Reply] = [HEAVY] * len(self.questions)
        self.deaths = 0
        self._part_of: tuple[Asked, int] = (self, 0)

    @property
    def seconds(self) -> float:
        """What answering it may take of the processor."""
        each = {"regex": LIMITS.pattern_match_seconds, "schema": LIMITS.schema_seconds}
        return sum(LIMITS.pattern_seconds + each[asking.kind] for _place, asking in self.questions)

    def receive(self, replies: list[Reply]) -> None:
        """Keep them, where they belong in the whole."""
        whole, place = self._part_of
        whole.replies[place : place + len(replies)] = replies

    def parts(self) -> list["Asked"]:
        """Each question alone; their replies go to the whole."""
        if len(self.questions) == 1:
            return [self]
        found = [Asked(self.texts, [question]) for question in self.questions]
        for place, part in enumerate(found):
            part._part_of = (self, place)
        return found


class CheckingChild:
    """A context manager. The process starts with the first question and ends with the context."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[Asked] = deque()
        self._to_write = bytearray()
        self._read = bytearray()
        self._deaths: Counter[Asking] = Counter()
        # What the child was told already, by its number there.
        self._told: dict[Asking, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.stop()

    def ask(self, asked: Asked) -> None:
        """Hand it over; the child works meanwhile, and all replies are there after `settle`."""
        self._queue(asked)
        if len(self._to_write) < READ_BYTES:
            return
        try:
            self._exchange(0)
        except _Gone:
            self._bury()
        while len(self._to_write) > MOST_BYTES_WAITING:
            self._hear_first()

    def settle(self) -> None:
        """Wait until everything that was asked has its replies."""
        while self._waiting:
            self._hear_first()

    def stop(self) -> None:
        """End the process; what was not answered is forgotten."""
        self._waiting.clear()
        self._end()

    def _hear_first(self) -> None:
        first = self._waiting[0]
        until = time.monotonic() + PATIENCE_SECONDS * (1 + first.seconds)
        try:
            while self._waiting and self._waiting[0] is first:
                left = until - time.monotonic()
                if left <= 0:
                    raise _Gone
                self._exchange(left)
        except _Gone:
            self._bury()

    def _exchange(self, seconds: float) -> None:
        """Write and read what can be, and wait that long for it; raises `_Gone`."""
        writes, reads = self._pipes()
        poll = select.poll()
        poll.register(reads, select.POLLIN)
        if self._to_write:
            poll.register(writes, select.POLLOUT)
        ready = dict(poll.poll(seconds * 1000))
        if writes.fileno() in ready:
            self._write(writes.fileno())
        if reads.fileno() in ready:
            self._take(os.read(reads.fileno(), READ_BYTES))

    def _write(self, pipe: int) -> None:
        try:
            del self._to_write[: os.write(pipe, self._to_write[:READ_BYTES])]
        except BrokenPipeError:
            raise _Gone from None

    def _take(self, data: bytes) -> None:
        if not data:
            raise _Gone
        self._read += data
        *lines, rest = self._read.split(b"\n")
        self._read = rest
        for line in lines:
            self._waiting.popleft().receive(json.loads(line))

    def _queue(self, asked: Asked) -> None:
        for one in asked.parts() if self._deaths else [asked]:
            if self._deaths and self._deaths[one.questions[0][1]] >= MOST_DEATHS:
                one.receive([HEAVY])
            else:
                self._waiting.append(one)
                self._to_write += self._line(one)

    def _line(self, asked: Asked) -> bytes:
        """It as the child reads it; a pattern or schema is sent once, and named by its number from then on."""
        forget = len(self._told) >= MOST_TOLD
        if forget:
            self._told.clear()
        new = []
        questions = []
        for place, asking in asked.questions:
            number = self._told.get(asking)
            if number is None:
                number = self._told[asking] = len(self._told)
                new.append(asking)
            questions.append((place, number))
        return json.dumps((asked.texts, questions, new, forget)).encode() + b"\n"

    def _bury(self) -> None:
        """Replace the child. The first that waits was the culprit, or one of its questions was."""
        self._end()
        first, *others = self._waiting
        self._waiting.clear()
        if len(first.questions) > 1:
            others = [*first.parts(), *others]
        elif first.deaths:
            self._deaths[first.questions[0][1]] += 1
            first.receive([HEAVY])
        else:
            # Once more, alone in a new child: what was there before it may have used the memory up.
            first.deaths += 1
            others = [first, *others]
        for asked in others:
            self._queue(asked)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            bounds = (
                LIMITS.pattern_bytes,
                LIMITS.pattern_seconds,
                LIMITS.pattern_match_seconds,
                LIMITS.schema_seconds,
                MOST_SECONDS_LOST,
            )
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell, no argument from outside
                [sys.executable, "-I", str(PROGRAM), *map(str, bounds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=ENVIRONMENT,
            )
            reads = self._process.stdout
            if reads is None or not select.select([reads], [], [], START_SECONDS)[0] or reads.readline() != b"ready\n":
                self._end()
                raise RuntimeError("the process that runs patterns and schemas does not start")
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process that runs patterns and schemas has no pipes")
        os.set_blocking(process.stdin.fileno(), False)
        return process.stdin, process.stdout

    def _end(self) -> None:
        process, self._process = self._process, None
        self._to_write.clear()
        self._read.clear()
        self._told.clear()
        if process is not None:
            end_child(process)
