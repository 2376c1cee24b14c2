"""A desk between asynchronous code and the thread that started it, where work on the database stays in that thread.

Many answers may run in one event loop of a thread of its own. What they need from the database they hand over the desk:
the starting thread does it, one piece after the other, on its own connection and inside its own transaction if any.
Their calls of models share connections and keep one pace for each key (EV-D22).
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import copy_context
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, TypeVar

import anyio

from agents.provider import shared_calls

Shown = TypeVar("Shown")
Done = TypeVar("Done")
Result = TypeVar("Result")
# How long what was told to stop may take to do so; its thread is left behind after that.
STOP_SECONDS = 20.0


@dataclass(frozen=True)
class _Work:
    """Something to be done by the starting thread, and the coroutine's future that waits for it."""

    act: Callable[[], Any]
    future: "asyncio.Future[Any]"

    def do(self) -> None:
        try:
            self._answer(self.future.set_result, self.act())
        except Exception as error:
            self._answer(self.future.set_exception, error)

    def _answer(self, put: Callable[[Any], None], value: Any) -> None:
        def answer() -> None:
            if not self.future.done():
                put(value)

        if not self.future.get_loop().is_closed():
            self.future.get_loop().call_soon_threadsafe(answer)


@dataclass(frozen=True)
class _Shown:
    item: Any


@dataclass(frozen=True)
class _End:
    """How the coroutine ended."""

    result: Any = None
    error: BaseException | None = None


@dataclass
class Desk(Generic[Shown]):
    """The coroutine's side: `await do(…)` for work of the starting thread, `show(…)` for what that is to see."""

    _queue: SimpleQueue[Any] = field(default_factory=SimpleQueue)

    async def do(self, act: Callable[[], Done]) -> Done:
        """What the act gives, done in the starting thread; raises what it raises."""
        future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._queue.put(_Work(act, future))
        return await future

    def show(self, item: Shown) -> None:
        """Hand the item over without waiting for anybody to look."""
        self._queue.put(_Shown(item))


def attend(
    start: Callable[[Desk[Shown]], Coroutine[Any, Any, Result]], *, idle_seconds: float | None = None
) -> Generator[Shown | None, None, Result]:
    """Run the coroutine in a thread of its own, do its work here, and yield what it shows; returns what it returns.

    None is yielded whenever nothing was shown for `idle_seconds`. Closing the generator cancels the coroutine, does the
    work that it still hands over while ending, and then goes. Raises what the coroutine raises. The request's language
    and id go with it.
    """
    desk: Desk[Shown] = Desk()
    background = _Background(start(desk), desk)
    try:
        while True:
            try:
                item = desk._queue.get(timeout=idle_seconds)
            except Empty:
                yield None
                continue
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return item.result
            if isinstance(item, _Work):
                item.do()
            else:
                yield item.item
    finally:
        background.stop()


def run_attended(start: Callable[[Desk[Any]], Coroutine[Any, Any, Result]]) -> Result:
    """What the coroutine returns or raises; what it shows is not looked at."""
    attending = attend(start)
    while True:
        try:
            next(attending)
        except StopIteration as end:
            return end.value


class _Background:
    """The coroutine in a thread of its own, until it ends or is stopped."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], desk: Desk[Any]) -> None:
        self._coroutine, self._queue, self._do = coroutine, desk._queue, desk.do
        self._begun = Event()
        self._thread = Thread(target=copy_context().run, args=(self._run,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel it and do the work that it hands over until it has ended; nothing where it ended already."""
        self._begun.wait(STOP_SECONDS)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._scope.cancel)
        while self._thread.is_alive():
            try:
                item = self._queue.get(timeout=STOP_SECONDS)
            except Empty:
                return
            if isinstance(item, _Work):
                item.do()
            elif isinstance(item, _End):
                return

    def _run(self) -> None:
        try:
            end = _End(asyncio.run(self._main()))
        except BaseException as error:
            end = _End(error=error)
        self._queue.put(end)

    async def _main(self) -> Any:
        self._loop = asyncio.get_running_loop()
        # Cancelled by this scope and not by the task: only so does anyio keep what is shielded from it.
        with anyio.CancelScope() as self._scope:
            self._begun.set()
            async with shared_calls(self._do):
                return await self._coroutine
