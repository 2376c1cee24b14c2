"""Being interrupted, by a person or by the runner of a pipeline, without losing sight of a run that was started."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While `held`, an interruption waits: the answer that names the run must not be missed."""

    def __init__(self) -> None:
        self.is_held = False
        self.has_come = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Runners end a job with SIGTERM; here that is an interruption like Ctrl-C."""
        before = {number: signal.signal(number, self._come) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Put off an interruption until the block has ended; whoever calls it then asks `check`."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False

    def check(self) -> None:
        """Raises KeyboardInterrupt where one was put off."""
        if self.has_come:
            raise KeyboardInterrupt

    def _come(self, *_given: Any) -> None:
        self.has_come = True
        if not self.is_held:
            raise KeyboardInterrupt
