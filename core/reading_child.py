"""ReadingChild: reads patterns and schemas in a process of its own, bounded in memory and time (SC-D28, SC-D29).

Compiling `(((a{100}){100}){100}){100}` exhausts memory, and no timeout of the pattern engine covers it. So the engine
runs in a child that may use 256 MB and one second; a child that breaks either is replaced. One child serves a whole
import, since starting one costs more than reading a hundred patterns.
"""

import json
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.limits import LIMITS
from core.problems import Problem, gettext_noop

PROGRAM = Path(__file__).with_name("reading_program.py")
START_SECONDS = 20.0
# What one file may take in all, so that thousands of slow patterns cannot hold a process for hours.
TOTAL_SECONDS = 20.0


class ReadingChild:
    """A context manager. The process starts with the first question and ends with the context; answers are kept."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._reads_schemas = False
        self._answers: dict[str, Problem | None] = {}
        self._seconds_left = TOTAL_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._stop()

    def read_pattern(self, pattern: str, *, ignore_case: bool) -> Problem | None:
        """What is wrong with the pattern, or None where it compiles within the bounds."""
        return self._ask(
            {"pattern": pattern, "ignore_case": ignore_case}, gettext_noop("The pattern is not valid: %(why)s.")
        )

    def read_schema(self, schema: Any) -> Problem | None:
        """What is wrong with the schema by draft 2020-12, or None where it is one."""
        return self._ask({"schema": schema}, gettext_noop("This is no JSON Schema: %(why)s."))

    def _ask(self, question: dict[str, Any], refusal: str) -> Problem | None:
        line = json.dumps(question)
        if line not in self._answers:
            self._answers[line] = self._answer(line, refusal)
        return self._answers[line]

    def _answer(self, line: str, refusal: str) -> Problem | None:
        if self._seconds_left <= 0:
            return Problem("", gettext_noop("Not read: the patterns and schemas before it took too long altogether."))
        began = time.monotonic()
        try:
            return self._asked(line, refusal)
        finally:
            self._seconds_left -= time.monotonic() - began

    def _asked(self, line: str, refusal: str) -> Problem | None:
        process = self._running()
        if "schema" in json.loads(line) and not self._reads_schemas:
            # Loading the validator takes up to seconds on a busy machine, which says nothing about the schema.
            _answer_of(process, '{"load": "schemas"}', START_SECONDS)
            self._reads_schemas = True
        answer = _answer_of(process, line, LIMITS.pattern_seconds)
        if answer is None:
            self._stop()
            return Problem("", gettext_noop("This takes too much time or memory to read. Make it simpler."))
        found = json.loads(answer)
        return None if found["ok"] else Problem(found["place"], refusal, {"why": found["why"]})

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell, no argument from outside
                [sys.executable, "-I", str(PROGRAM), str(LIMITS.pattern_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PYTHONIOENCODING": "utf-8"},
            )
            if _line_of(self._process, START_SECONDS) is None:
                self._stop()
                raise RuntimeError("the process that reads patterns does not start")
        return self._process

    def _stop(self) -> None:
        process, self._process, self._reads_schemas = self._process, None, False
        if process is not None:
            end_child(process)


def end_child(process: subprocess.Popen[bytes]) -> None:
    """Kill a child that speaks over pipes, and close them, whatever it still had to read."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            _close(pipe)
    process.wait()


def _answer_of(process: subprocess.Popen[bytes], line: str, seconds: float) -> bytes | None:
    try:
        if process.stdin:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
    except BrokenPipeError:
        return None
    return _line_of(process, seconds)


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        return


def _line_of(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """The next line the process writes, or None where it ends or stays silent."""
    if process.stdout is None or not select.select([process.stdout], [], [], seconds)[0]:
        return None
    return process.stdout.readline() or None
