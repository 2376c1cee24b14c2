"""A worker process that is killed at random moments while it works on test runs, and what that costs (EV-D29, EV-D30).

Small in test_kills.py; in full size with `python -m benchmarks killed_evals`.
"""

import os
import random
import signal
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import Count
from django.test import override_settings

from datasets.operations.imports import import_file
from evals.models import FINAL_STATES, Attempt, EvalRun, EvalState
from evals.operations.sweeping import sweep
from evals.operations.work import work_on
from scoring.models import Score
from tests.agents.provider_server import Answer, FakeProvider, completion, fake_provider
from tests.cast import Cast
from tests.evals.working import WorkScene
from tests.scoring.judges import grading, material_of

# A killed worker's leases are over after so long, instead of the two minutes of the product.
LEASE_SECONDS = 6.0
# A worker lives for so long at the most, in seconds.
LONGEST_LIFE = 3.0
ANSWER_SECONDS, JUDGE_SECONDS = 0.03, 0.02
MOST_SECONDS = 600


@dataclass
class Killed:
    """What was seen: `states` of the runs at the moments of the kills, and every fault."""

    kills: int = 0
    runs: int = 0
    answers: int = 0
    states: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    again: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def kill_workers(cast: Cast, *, kills: int, cases: int) -> Killed:
    """Start runs and kill their worker again and again, each run until it completes by itself."""
    seen = Killed()
    turn = [0]
    judge = grading(lambda _material, _criterion: 5)

    def script(asked: dict[str, Any]) -> Answer:
        if asked["model"] == "judge-1":
            return Answer(judge(asked).body, slow=JUDGE_SECONDS)
        question = asked["messages"][-1]["content"]
        # Some cases of each run fail that passed in the run before, so that it confirms what changed.
        fails = int(question.split()[-1]) % 7 == turn[0] % 7
        told = "No idea." if fails else "You have 30 days."
        return Answer(completion(f"{question}: {told}"), slow=ANSWER_SECONDS)

    short = override_settings(EVAL_LEASE_SECONDS=LEASE_SECONDS, OUTGOING_ALLOWED_HOSTS=("127.0.0.1",))
    with short, fake_provider(script=script) as provider:
        scene = WorkScene(cast, provider, cases=1)
        rows = "".join(
            f'Question {number},"[{{""type"":""contains"",""value"":""days""}}]"\n' for number in range(1, cases)
        )
        data = f"input,checks\n{rows}".encode()
        import_file(cast.actor("builder"), dataset_id=scene.dataset.pk, name="x.csv", data=data)
        scene.judged()
        dice = random.Random(29)  # noqa: S311
        while seen.kills < kills:
            turn[0] += 1
            _Killing(seen, provider, scene.start().pk, dice).run(kills)
    return seen


@dataclass
class _Killing:
    """One run. `known` are the calls that the next worker must not make again: their result is stored."""

    seen: Killed
    provider: FakeProvider
    run_id: UUID
    dice: random.Random
    known: set[str] = field(default_factory=set)
    read: int = 0
    before: Counter[str] = field(default_factory=Counter)

    def run(self, kills: int) -> None:
        self.read = len(self.provider.asked)
        while self.seen.kills < kills:
            worker = _worker(self.run_id)
            time.sleep(self.dice.uniform(0, LONGEST_LIFE))
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0)
            self._look()
            if self._state() == EvalState.COMPLETED:
                break
            self.seen.kills += 1
            self.seen.states[self._state()] += 1
        else:
            self._let_complete()
        self._check_result()
        self.seen.runs += 1

    def _let_complete(self) -> None:
        worker, deadline = _worker(self.run_id), time.monotonic() + MOST_SECONDS
        while self._state() not in FINAL_STATES and time.monotonic() < deadline:
            time.sleep(0.2)
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        self._look()

    def _look(self) -> None:
        """What was asked since the last time, against what was stored then; and what is stored now."""
        while self.provider.under_way:
            time.sleep(0.005)
        asked = [_name(sent) for sent in self.provider.asked[self.read :]]
        self.read = len(self.provider.asked)
        counts = Counter(asked)
        for name, count in counts.items():
            kind, _colon, case = name.partition(" ")
            self.seen.asked[kind] += count
            if name in self.known and not self._is_to_confirm(case):
                self.seen.faults.append(f"asked again although it was stored: {name}")
        self.seen.again += Counter(name.partition(" ")[0] for name in counts if self.before[name])
        self.before += counts
        rows = Attempt.objects.filter(run=self.run_id).values_list("item__revision__input", "state", "kind")
        for question, state, kind in rows:
            if kind == "first" and state in ("answered", "grading", "done"):
                self.known.add(f"answer {question}")
            if kind == "first" and state == "done":
                self.known.add(f"verdict {question}")

    def _is_to_confirm(self, question: str) -> bool:
        rows = Attempt.objects.filter(run=self.run_id, item__revision__input=question, kind="confirm")
        return rows.exists()

    def _state(self) -> str:
        return EvalRun.objects.values_list("state", flat=True).get(pk=self.run_id)

    def _check_result(self) -> None:
        run, faults = EvalRun.objects.get(pk=self.run_id), self.seen.faults
        if run.state != EvalState.COMPLETED:
            faults.append(f"run {run.number} is {run.state}: {run.cause}")
        attempts = Attempt.objects.filter(run=run)
        first = attempts.filter(kind="first")
        self.seen.answers += first.count()
        for attempt in first.exclude(state="done", score__state="done", agent_run__status="completed"):
            faults.append(f"run {run.number}: an attempt is {attempt.state}: {attempt.error}")
        if run.items.annotate(count=Count("attempts")).exclude(count__in=(1, 3)).exists():
            faults.append(f"run {run.number}: a case has not one first answer")
        scores = Score.objects.filter(pk__in=attempts.values("score"))
        if scores.count() != attempts.count() or scores.exclude(state="done").exists():
            faults.append(f"run {run.number}: {scores.count()} scores of {attempts.count()} attempts")
        if run.workers.filter(is_leaving=False).count() > 1:
            faults.append(f"run {run.number}: several workers")


def _name(asked: dict[str, Any]) -> str:
    """`answer` or `verdict`, and the question that it is about."""
    if asked["model"] == "judge-1":
        return f"verdict {material_of(asked)['answer'].partition(':')[0]}"
    return f"answer {asked['messages'][-1]['content']}"


def _worker(run_id: UUID) -> int:
    """A copy of this process that works as jobs and the sweep do. No connection may be open while it is made."""
    connections.close_all()
    process = os.fork()
    if process:
        return process
    while True:
        try:
            if EvalRun.objects.filter(pk=run_id, state__in=FINAL_STATES).exists():
                time.sleep(MOST_SECONDS)
            sweep()
            work_on(run_id)
        except Exception:
            # A job that fails takes no worker with it; the next sweep has the run taken up again.
            traceback.print_exc()
        time.sleep(0.05)
