"""Slice: what one worker does in the database for one run, in turns; its calls are made beside it (shift.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from time import monotonic
from typing import TypeVar
from uuid import UUID

from django.conf import settings as configured
from django.db import IntegrityError, transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.actor import Actor
from evals.logic import causes
from evals.logic.attempt_ends import FIRST, IN_A_ROW, same_error_in_a_row, same_error_of_first
from evals.logic.choices import written_amount
from evals.models import Attempt, AttemptState, EvalRun, EvalState, Worker
from evals.operations.acting import Allowed, allowed_now
from evals.operations.claiming import Room, Task, Waiting, claim_tasks, hand_back, renew_leases
from evals.operations.gradings import ToJudge, grade_held, store_ends, take_up_stored
from evals.operations.halting import Halt
from evals.operations.leaving_out import leave_out_anonymised
from evals.operations.queueing import enqueue_work
from evals.operations.storing import Arrived, Held, Stored, store_answers
from evals.operations.workers import renew
from evals.queries.spent import NOTHING, Spent, spent_by
from scoring.logic.checks import CheckRunner
from scoring.logic.findings import Reason
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.operations.judging import Judged

# Attempts that are taken up within so many seconds are one batch: access and judge are asked once for it (EV-D14).
BATCH_SECONDS = 1.0
# A lease is renewed so often within its time (EV-D29).
RENEWALS_A_LEASE = 4
Done = TypeVar("Done")


@dataclass
class Slice:
    """All of it runs in the thread that keeps the database. `halt` is why the run cannot go on; `has_moved` whether an
    attempt moved on since that was stored last (EV-D32)."""

    run: EvalRun
    worker: Worker
    runner: CheckRunner
    spent: Spent = field(init=False)
    waiting: Waiting = field(init=False)
    allowed: Allowed | None = None
    halt: Halt | None = None
    has_moved: bool = False
    is_gone: bool = False
    has_stored_ones: bool = True
    passed_on: bool = False
    _asked_at: float = 0.0
    _renewed_at: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.waiting = Waiting(self.run.pk)
        self.spent = spent_by(self.run)

    @cached_property
    def settings(self) -> Settings:
        """Those that the run was started with."""
        return Settings.of_json(completed(self.run.snapshot.settings))

    @property
    def begins(self) -> bool:
        """Whether further calls may begin."""
        return self.halt is None and not self.is_gone and not self.worker.is_leaving

    def store_and_take(self, arrived: Sequence[Arrived], room: Room, stored: Room) -> tuple[list[Task], list[Held]]:
        """Store answers that arrived, and take up attempts as far as there is room; new tasks, and answers to grade.

        `stored` is the room for answers that are stored already and that nobody grades.
        """
        takes = self._may_take() if room.ahead or stored.ahead else False
        done, tasks, erased = _once_more(lambda: self._store_and_take(arrived, room if takes else Room()))
        for each in arrived:
            self._count(each.cost)
        self.has_moved |= bool(arrived)
        if done.over_budget:
            self.halt = self.halt or Halt.stopped(Reason(causes.BUDGET, {"why": done.over_budget}))
        if done.failed:
            self._halt_on_same_errors()
        if done.erased or erased:
            leave_out_anonymised(self.run)
        held = done.held
        if takes and stored.ahead:
            more, taken = take_up_stored(self.worker, stored)
            self.has_stored_ones = bool(taken)
            held = [*held, *more]
        return tasks, held

    def grade(self, held: Sequence[Held], judged: Sequence[tuple[ToJudge, Judged]]) -> list[ToJudge]:
        """Store the judge's verdicts and grade answers by rules; those that the judge is to be asked about."""
        for _one, by in judged:
            self.spent.usd += by.cost or NOTHING
        store_ends(self.worker, [(one.attempt_id, one.ruled.finished(by)) for one, by in judged])
        watch = self.allowed.judge.watch if self.allowed and self.allowed.judge else None
        if watch is not None:
            watch.stored(sum((by.cost or NOTHING for _one, by in judged), NOTHING))
        self.has_moved |= bool(held or judged)
        return grade_held(self.worker, self.runner, held)

    def pulse(self, *, wanted: int, in_flight: int) -> int:
        """Say that the worker lives; how many calls it may have in flight. Notices what others did to the run."""
        state = EvalRun.objects.filter(pk=self.run.pk).values_list("state", flat=True).first()
        if state is None:
            self.is_gone = True
            return 0
        self.run.state = state
        if state not in (EvalState.RUNNING, EvalState.CONFIRMING):
            self.worker.is_leaving = True
        places = renew(self.worker, wanted=wanted, in_flight=in_flight)
        if monotonic() - self._renewed_at > configured.EVAL_LEASE_SECONDS / RENEWALS_A_LEASE:
            renew_leases(self.worker)
            self._renewed_at = monotonic()
        if self.run.max_cost is not None:
            self.spent = spent_by(self.run)
        self.note_progress()
        self.has_stored_ones = True
        return places

    def note_progress(self) -> None:
        """Keep that the run moves on, at most once in a pulse."""
        if self.has_moved:
            EvalRun.objects.filter(pk=self.run.pk).update(progress_at=timezone.now(), stalls=0)
            self.has_moved = False

    def pass_on(self) -> None:
        """The time of this slice is over: nothing new begins here, and the next job may begin beside what is left."""
        self.worker.is_leaving = True
        Worker.objects.filter(pk=self.worker.pk).update(is_leaving=True)
        enqueue_work(self.run)
        self.passed_on = True

    def give_back(self, tasks: Sequence[Task], to_judge: Sequence[ToJudge]) -> None:
        """Leave what was not begun to others."""
        ids = [*(one.attempt_id for one in tasks), *(one.attempt_id for one in to_judge)]
        if ids:
            hand_back(self.worker, ids)

    def costs_too_much(self, *, more: Decimal, in_flight: int) -> bool:
        """Whether no further attempt may begin under the run's cost limit now (EV-D27).

        `more` is what arrived since in USD and is not stored yet.
        """
        limit = self.run.max_cost
        return limit is not None and self.spent.usd + more + self.spent.mean * in_flight >= limit

    def halt_on_cost(self) -> None:
        """The limit is reached, and nothing under way could come out cheaper any more."""
        limit = written_amount(self.run.max_cost or NOTHING)
        self.halt = self.halt or Halt.stopped(Reason(causes.COST_LIMIT, {"limit": limit}))

    def _may_take(self) -> bool:
        """Ask for access and judge again for each batch."""
        if not self.begins:
            return False
        lacks_agent = self.allowed is None or self.allowed.prepared is None
        if monotonic() - self._asked_at > BATCH_SECONDS or (lacks_agent and self._has_pending()):
            try:
                self.allowed = allowed_now(self.run, self.settings, self.allowed, answers=self._has_pending())
            except Halt as halt:
                self.halt = halt
                return False
            self._asked_at = monotonic()
        return True

    def _has_pending(self) -> bool:
        return bool(self.waiting.ids) or Attempt.objects.filter(run=self.run, state=AttemptState.PENDING).exists()

    @transaction.atomic
    def _store_and_take(self, arrived: Sequence[Arrived], room: Room) -> tuple[Stored, list[Task], list[UUID]]:
        actor = self.allowed.actor if self.allowed else Actor.system(self.run.organisation)
        stored = store_answers(self.run, self.worker, actor, self.settings, arrived)
        tasks, erased = claim_tasks(self.worker, self.waiting, room) if room.ahead else ([], [])
        return stored, tasks, erased

    def _count(self, cost: Decimal | None) -> None:
        if cost is not None:
            self.spent.usd += cost
            self.spent.attempts += 1

    def _halt_on_same_errors(self) -> None:
        """A wrong key does not cost a whole run of errors (EV-D20)."""
        # In the order in which the agent answered or failed, whenever an answer is graded.
        came = Attempt.objects.filter(run=self.run).annotate(came_at=Coalesce("answered_at", "done_at"))
        came = came.exclude(came_at=None)
        first = list(came.order_by("came_at", "pk").values_list("error_key", flat=True)[:FIRST])
        last = list(came.order_by("-came_at", "-pk").values_list("error_key", flat=True)[:IN_A_ROW])
        if same_error_of_first(first):
            self._halt_on_error(causes.FIRST_FAILED, FIRST, first[0])
        elif same_error_in_a_row(last):
            self._halt_on_error(causes.ROW_FAILED, IN_A_ROW, last[0])

    def _halt_on_error(self, text: str, count: int, key: str) -> None:
        row = Attempt.objects.filter(run=self.run, error_key=key).exclude(error=None).first()
        error = Reason.of_json(row.error) if row else None
        told = error.values.get("error", error.in_english) if error else ""
        self.halt = self.halt or Halt.failed(Reason(text, {"count": count, "error": told}))


def _once_more(act: Callable[[], Done]) -> Done:
    """Something that the rows name may be deleted in this very moment; the second time that is known."""
    try:
        return act()
    except IntegrityError:
        return act()
