"""Shift: the calls of one slice, as coroutines over the desk: answering and judging side by side (EV-D21, EV-D25).

What arrives is stored in groups: while one group is written, the next gathers. No call costs a statement of its own.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from time import monotonic
from typing import Any

import anyio
from anyio.abc import TaskGroup
from django.conf import settings as configured
from django.db import Error as DatabaseFailure

from activity.models import RunKind
from activity.operations import run_ends
from activity.operations.collected_runs import CollectedAnswer, Prepared, answer_collected
from agents.loop.desk import Desk
from agents.provider import counted_waiting, limit_of, shared_calls
from core.errors import Invalid
from core.logging import logger
from evals.models import EvalState
from evals.operations.acting import pinned_version
from evals.operations.claiming import Room, Task
from evals.operations.gradings import AT_ONCE, ToJudge
from evals.operations.slices import Slice
from evals.operations.storing import Arrived, Held
from evals.queries.spent import NOTHING
from scoring.logic.causes import Cause
from scoring.logic.criteria import asked_criteria
from scoring.logic.verdicts import findings_without_verdict
from scoring.operations.judging import Judged, judge_answer

log = logger("casebook.evals")

# A job works on a run for so long and then leaves it to the next (EV-D30).
SLICE_SECONDS = 60.0
# What is under way when a run is cancelled may finish for so long (EV-D26).
GRACE_SECONDS = 30.0
PULSE_SECONDS = 1.0
# A worker says at least so often within a lease that it lives.
PULSES_A_LEASE = 24
# Each group costs about as many statements, however many answers it holds: so long one gathers while calls go on.
GATHERING_SECONDS = 0.1
# Answers that rules alone grade are graded together so often; nobody waits for them.
GRADING_SECONDS = 0.5
# Where so many times the places wait for the judge, it goes first.
JUDGE_FIRST_FROM = 2


@dataclass
class Shift:
    """The calls under way and what waits for a place; all of it belongs to the event loop, but for `work`.

    `is_dry` says that nothing was left to take up when that was last asked. `_quick` is how many answers the last group
    had, `_failed` how many that are not stored yet brought none. `unstored` is what the calls cost that have
    arrived and are not stored yet (USD). `held` are answers that are stored and wait to be graded.
    """

    desk: Desk[Any]
    work: Slice
    places: int = 0
    answering: int = 0
    judging: int = 0
    tasks: deque[Task] = field(default_factory=deque)
    to_judge: deque[ToJudge] = field(default_factory=deque)
    arrived: list[Arrived] = field(default_factory=list)
    judged: list[tuple[ToJudge, Judged]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    is_dry: bool = False
    unstored: Decimal = NOTHING
    scopes: set[anyio.CancelScope] = field(default_factory=set)
    calls: TaskGroup = field(init=False)
    began: float = field(default_factory=monotonic)
    cancelled_at: float | None = None
    _stored_at: float = 0.0
    _graded_at: float = 0.0
    _quick: int = 0
    _failed: int = 0
    _woken: anyio.Event = field(default_factory=anyio.Event)

    async def run(self) -> None:
        """Work until the slice is over or nothing is left, and every call has ended and is stored."""
        async with shared_calls(self.desk.do), anyio.create_task_group() as background:
            await self._pulse()
            background.start_soon(self._go_on_pulsing)
            async with anyio.create_task_group() as self.calls:
                await self._keep_books()
            background.cancel_scope.cancel()

    @property
    def in_flight(self) -> int:
        return self.answering + self.judging

    async def _keep_books(self) -> None:
        """Turn for turn: store what arrived, take up more, grade."""
        while True:
            self._begin_calls()
            await self._gather()
            arrived, self.arrived = self.arrived, []
            self._quick = len(arrived)
            judged, self.judged = self.judged, []
            if not self.work.begins:
                await self._give_back()
            room, stored = self._room(), self._room_for_stored()
            if not (arrived or judged or room.ahead or stored.ahead):
                if self.held:
                    await self._grade([])
                    continue
                if self._is_over():
                    return
                await self._wait()
                continue
            take = partial(self.work.store_and_take, arrived, room, stored)
            tasks, held = await self.desk.do(take)
            self.unstored -= sum((each.cost or NOTHING for each in arrived), NOTHING)
            self._failed -= sum(_has_failed(each.collected) for each in arrived)
            self.tasks.extend(tasks)
            self.is_dry = room.ahead > len(tasks)
            self._begin_calls()
            self.held.extend(held)
            if judged or self._grades_now():
                await self._grade(judged)

    def _grades_now(self) -> bool:
        """The judge is asked at once; what rules alone grade may gather, since each group costs as many statements."""
        waited = monotonic() - self._graded_at > GRADING_SECONDS
        return bool(self.held) and (self.work.settings.asks_judge or waited or not self.in_flight)

    async def _grade(self, judged: Sequence[tuple[ToJudge, Judged]]) -> None:
        held, self.held = self.held, []
        self.to_judge.extend(await self.desk.do(partial(self.work.grade, held, judged)))
        self.unstored -= sum((by.cost or NOTHING for _one, by in judged), NOTHING)
        self._graded_at = monotonic()

    async def _gather(self) -> None:
        """Wait for more to arrive, but never while a place stands empty."""
        until = self._stored_at + GATHERING_SECONDS
        while self.in_flight and (self.tasks or self.is_dry) and self.work.begins and not self._failed:
            left = until - monotonic()
            if left <= 0:
                break
            with anyio.move_on_after(left):
                await self._wait()
        self._stored_at = monotonic()

    def _room(self) -> Room:
        """A second place's worth is taken up ahead, so that no place waits for the database; more where answers come
        so quickly that this would not do."""
        more = max(self.places, 4 * self._quick)
        if self.is_dry or not self.work.begins or len(self.tasks) >= max(1, more):
            return Room()
        # One that has nothing to do asks for one at least, whatever places it has, to learn whether it is done.
        ahead = max(int(self._is_idle), self.places + more - self.answering - len(self.tasks))
        return Room(ahead, max(0, self.places - self.in_flight - len(self.tasks)), self._is_idle)

    def _room_for_stored(self) -> Room:
        if not self.work.begins or not self.work.has_stored_ones or len(self.to_judge) >= AT_ONCE:
            return Room()
        return Room(AT_ONCE, max(0, self.places - self.in_flight - len(self.to_judge)), self._is_idle)

    @property
    def _is_idle(self) -> bool:
        return not (self.in_flight or self.tasks or self.to_judge)

    def _is_over(self) -> bool:
        if self.in_flight or self.arrived or self.judged:
            return False
        if self.work.begins and (self.tasks or self.to_judge):
            if self._costs_too_much():
                self.work.halt_on_cost()
            return False
        return not self.work.begins or self.is_dry

    def _costs_too_much(self, in_flight: int = 0) -> bool:
        return self.work.costs_too_much(more=self.unstored, in_flight=in_flight)

    def _begin_calls(self) -> None:
        while self.in_flight < self.places and self.work.begins:
            if self._judge_next():
                self._begin(self._judge(self.to_judge.popleft()), judges=True)
            elif self.tasks and not self._costs_too_much(self.in_flight):
                self._begin(self._answer(self.tasks.popleft()), judges=False)
            else:
                return

    def _judge_next(self) -> bool:
        """Answers and judge share the places; neither holds up the other for long (EV-D25)."""
        if not self.to_judge:
            return False
        if self._costs_too_much():
            self.work.halt_on_cost()
            return False
        few = self.judging < max(1, self.places // 2)
        return few or not self.tasks or len(self.to_judge) > JUDGE_FIRST_FROM * self.places

    def _begin(self, call: Callable[[], Awaitable[None]], *, judges: bool) -> None:
        self.judging += judges
        self.answering += not judges
        self.calls.start_soon(self._watched, call, judges)

    async def _watched(self, call: Callable[[], Awaitable[None]], judges: bool) -> None:
        with anyio.CancelScope() as scope:
            self.scopes.add(scope)
            try:
                await call()
            finally:
                self.scopes.discard(scope)
                self.judging -= judges
                self.answering -= not judges
                self.is_dry = False
                # Whoever keeps the books may be waiting for the database, and the place is free now. After an error
                # they look first whether it is one too many (EV-D20).
                if not self._failed:
                    self._begin_calls()
                self._wake()

    def _answer(self, task: Task) -> Callable[[], Awaitable[None]]:
        prepared: Any = self.work.allowed and self.work.allowed.prepared

        async def answer() -> None:
            collected: CollectedAnswer | None = None
            cut: list[CollectedAnswer] = []
            try:
                with counted_waiting(), limit_of(configured.EVAL_ATTEMPT_TIMEOUT_SECONDS):
                    collected = await _answered(self.desk, prepared, task, cut.append)
            except anyio.get_cancelled_exc_class():
                self._take_in(Arrived(task, None, cut_off=next(iter(cut), None), is_cancelled=True))
                raise
            self._take_in(Arrived(task, collected, cut_off=next(iter(cut), None)))

        return answer

    def _take_in(self, arrived: Arrived) -> None:
        self.unstored += arrived.cost or NOTHING
        self._failed += _has_failed(arrived.collected)
        self.arrived.append(arrived)

    def _judge(self, one: ToJudge) -> Callable[[], Awaitable[None]]:
        work, ruled = self.work, one.ruled
        actor: Any = work.allowed and work.allowed.actor
        prepared = work.allowed.judge if work.allowed else None

        async def judge() -> None:
            try:
                judged = await judge_answer(
                    self.desk,
                    actor,
                    dataset=ruled.score.dataset,
                    settings=ruled.settings,
                    case=ruled.case,
                    answer=ruled.answer,
                    number=pinned_version(work.run),
                    prepared=prepared,
                )
            except DatabaseFailure:
                raise
            except Exception as error:
                log.error("score.not_judged", score=str(ruled.score.id), error=type(error).__name__)
                judged = _fault(one)
            self.unstored += judged.cost or NOTHING
            self.judged.append((one, judged))

        return judge

    async def _give_back(self) -> None:
        tasks, to_judge = list(self.tasks), list(self.to_judge)
        self.tasks.clear()
        self.to_judge.clear()
        if tasks or to_judge:
            await self.desk.do(partial(self.work.give_back, tasks, to_judge))

    async def _go_on_pulsing(self) -> None:
        often = min(PULSE_SECONDS, configured.EVAL_LEASE_SECONDS / PULSES_A_LEASE)
        while True:
            await anyio.sleep(often)
            await self._pulse()

    async def _pulse(self) -> None:
        """Once a second: the sign of life, the places, and whether the slice is over or the run was cancelled."""
        wanted = self.in_flight + len(self.to_judge) + len(self.tasks)
        wanted = wanted if self.is_dry else configured.EVAL_CONCURRENCY_PER_RUN
        self.places = await self.desk.do(partial(self.work.pulse, wanted=wanted, in_flight=self.in_flight))
        if self.work.begins and monotonic() - self.began > SLICE_SECONDS:
            await self.desk.do(self.work.pass_on)
        self._stop_what_is_cancelled()
        self.is_dry = False
        self._wake()

    def _stop_what_is_cancelled(self) -> None:
        if self.work.run.state == EvalState.CANCELLING and self.cancelled_at is None:
            self.cancelled_at = monotonic()
        over = self.cancelled_at is not None and monotonic() - self.cancelled_at > GRACE_SECONDS
        if over or self.work.is_gone:
            for scope in list(self.scopes):
                scope.cancel()

    def _wake(self) -> None:
        self._woken.set()

    async def _wait(self) -> None:
        await self._woken.wait()
        self._woken = anyio.Event()


async def _answered(
    desk: Desk[Any], prepared: Prepared, task: Task, on_cut: Callable[[CollectedAnswer], None]
) -> CollectedAnswer:
    try:
        return await answer_collected(desk, prepared, task.turns, on_cut=on_cut)
    except Invalid as error:
        log.error("attempt.not_asked", attempt=str(task.attempt_id), error=type(error).__name__)
        failed = CollectedAnswer(prepared, RunKind.EVAL, task.turns)
        failed.finish(run_ends.fault())
        return failed


def _has_failed(collected: CollectedAnswer | None) -> bool:
    return collected is None or bool(collected.end.error)


def _fault(one: ToJudge) -> Judged:
    """A fault of ours costs this one answer its verdict."""
    cause, ruled = Cause.FAILED, one.ruled
    criteria = asked_criteria(ruled.case, ruled.settings)
    return Judged(findings_without_verdict(criteria, cause, cause.verdict, cause.reason, ruled.case, ruled.answer))
