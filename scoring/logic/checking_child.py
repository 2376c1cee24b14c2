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
from collections.abc import Sequence
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
# Lines that say the same again and again are made and read once; so many are kept, and none that is longer.
MOST_KEPT, KEPT_BYTES = 1_000, 200


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


class Asked:
    """Questions about one answer: its texts once, what is asked of which, and a reply to each when it is there.

    `part_of` is the whole that replies go to, and the place there, where this is one question of several. Without
    references in a circle, of which thousands would wait for the garbage collector.
    """

    __slots__ = ("deaths", "part_of", "questions", "replies", "texts")

    def __init__(
        self,
        texts: Sequence[str],
        questions: tuple[tuple[int, Asking], ...],
        part_of: "tuple[Asked, int] | None" = None,
    ) -> None:
        self.texts, self.questions, self.part_of = texts, questions, part_of
        self.replies: Sequence[Reply] = (HEAVY,) * len(questions)
        self.deaths = 0

    @property
    def seconds(self) -> float:
        """What answering it may take of the processor."""
        each = {"regex": LIMITS.pattern_match_seconds, "schema": LIMITS.schema_seconds}
        return sum(LIMITS.pattern_seconds + each[asking.kind] for _place, asking in self.questions)

    def receive(self, replies: Sequence[Reply]) -> None:
        """Keep them, where they belong in the whole; they may be shared and do not change."""
        if self.part_of is None:
            self.replies = replies
        else:
            whole, place = self.part_of
            known = list(whole.replies)
            known[place : place + len(replies)] = replies
            whole.replies = known

    def parts(self) -> list["Asked"]:
        """Each question alone; their replies go to the whole."""
        if len(self.questions) == 1:
            return [self]
        return [Asked(self.texts, (question,), (self, place)) for place, question in enumerate(self.questions)]


class CheckingChild:
    """A context manager. The process starts with the first question and ends with the context."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[Asked] = deque()
        self._to_write = bytearray()
        self._read = bytearray()
        self._deaths: Counter[Asking] = Counter()
        # What the child was told already, by its number there, and how it is asked about it.
        self._told: dict[Asking, int] = {}
        self._told_questions: dict[tuple[tuple[int, Asking], ...], bytes] = {}
        self._replies: dict[bytes, list[Reply]] = {}

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
        *lines, rest = bytes(self._read).split(b"\n")
        self._read = bytearray(rest)
        for line in lines:
            self._waiting.popleft().receive(self._replies.get(line) or self._replies_in(line))

    def _replies_in(self, line: bytes) -> list[Reply]:
        replies: list[Reply] = json.loads(line)
        if len(line) <= KEPT_BYTES and len(self._replies) < MOST_KEPT:
            self._replies[line] = replies
        return replies

    def _queue(self, asked: Asked) -> None:
        for one in asked.parts() if self._deaths else [asked]:
            if self._deaths and self._deaths[one.questions[0][1]] >= MOST_DEATHS:
                one.receive([HEAVY])
            else:
                self._waiting.append(one)
                self._to_write += self._line(one)

    def _line(self, asked: Asked) -> bytes:
        """It as the child reads it: the length of each text, what is asked of which, and the texts as they are."""
        texts = [text.encode("utf-8", "surrogatepass") for text in asked.texts]
        questions = self._told_questions.get(asked.questions) or self._told_now(asked.questions)
        return b"%s %s\n%s" % (b",".join([b"%d" % len(text) for text in texts]), questions, b"".join(texts))

    def _told_now(self, asked: tuple[tuple[int, Asking], ...]) -> bytes:
        """The questions; a pattern or schema is sent once, and named by its number from then on."""
        forget = len(self._told) >= MOST_TOLD
        if forget:
            self._forget()
        new = []
        questions = []
        for place, asking in asked:
            number = self._told.get(asking)
            if number is None:
                number = self._told[asking] = len(self._told)
                new.append(asking)
            questions.append((place, number))
        line = json.dumps((questions, new, forget)).encode()
        if not new and len(self._told_questions) < MOST_KEPT:
            self._told_questions[asked] = line
        return line

    def _forget(self) -> None:
        self._told.clear()
        self._told_questions.clear()

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
        self._forget()
        if process is not None:
            end_child(process)
