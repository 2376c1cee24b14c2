"""What the command prints: results to the output, progress and failures to the error stream (EV-D63).

Words of cases and answers stand in the log of a pipeline then: no line of them begins with what a runner takes for a
command, and no character of them steers a terminal.
"""

import re
import time
import unicodedata
from typing import TextIO

QUIET_SECONDS = 30.0
LONGEST = 300
# Runners of pipelines take these for commands wherever they stand in a line.
COMMANDS = re.compile(r"##(?=\[|vso\[)")
SPACES = re.compile(r"\s+")
STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")


class Screen:
    """Two streams. A terminal sees progress on one line; a log gets a line at a change, and else now and then."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self.out, self.err = out, err
        self.is_live = err.isatty()
        self.has_open_line = False
        self.shown, self.shown_at, self.state = "", float("-inf"), ""

    def say(self, line: str = "") -> None:
        """A line of the result."""
        self._end_line()
        self.out.write(line + "\n")
        self.out.flush()

    def note(self, line: str) -> None:
        """A line that is no result."""
        self._end_line()
        self.err.write(line + "\n")
        self.err.flush()

    def progress(self, state: str, line: str) -> None:
        """How far the run is."""
        if line == self.shown:
            return
        now = time.monotonic()
        if self.is_live:
            self.err.write("\r" + line.ljust(len(self.shown)))
            self.has_open_line = True
        elif state == self.state and now - self.shown_at < QUIET_SECONDS:
            return
        else:
            self.err.write(line + "\n")
        self.err.flush()
        self.shown, self.shown_at, self.state = line, now, state

    def _end_line(self) -> None:
        if self.has_open_line:
            self.err.write("\n")
            self.err.flush()
        self.has_open_line = False


def plain(text: object, longest: int = LONGEST) -> str:
    """Somebody's words on one line, shortened, with nothing in them that a terminal or a runner would obey."""
    line = SPACES.sub(" ", str(text)).strip()
    line = "".join("�" if unicodedata.category(one) in STEERING else one for one in line)
    line = COMMANDS.sub("# #", line)
    return line if len(line) <= longest else line[: longest - 1] + "…"
