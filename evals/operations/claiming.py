"""Taking up attempts: each by one worker at a time, by a conditional update and for a lease (EV-D29, EV-D30)."""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from datasets.logic.drafts import FIELDS, CaseDraft
from evals.logic import causes
from evals.models import Attempt, AttemptState, EvalRun, Worker
from scoring.logic.findings import Reason
from scoring.models import Score, ScoreState

# So many ids of waiting attempts are read at once, so that taking some up never sorts all that wait.
READ_AT_ONCE = 5_000
# An attempt over which a worker was lost is not taken up ahead, since it would count as lost again without having been
# begun; one over which so many were is worked on alone, so that it takes no other one with it.
ALONE_FROM = 2
LOSSES = 3
HELD = (AttemptState.ANSWERING, AttemptState.ANSWERED, AttemptState.GRADING)
LISTS = ("history", "expected_tool_calls", "checks", "tags")
TASK = ("pk", "item_id", "item__case_id", "item__revision_id", "tries", "cost", "item__revision__anonymised_at")


@dataclass(frozen=True)
class Task:
    """An attempt that was taken up to be answered, with its case as it is stored; nothing of it is masked (EV-22).

    `spent` is what earlier tries that were cut off cost in USD, None where there is none.
    """

    attempt_id: UUID
    item_id: UUID
    case_id: UUID
    revision_id: int
    tries: int
    case: CaseDraft
    spent: Decimal | None = None

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The conversation whose last turn is answered (EV-9)."""
        return [*map(dict, self.case.history), {"role": "user", "content": self.case.input}]


@dataclass(frozen=True)
class Room:
    """How many attempts a worker can take up: `ahead` of its calls, or into places that are `free` now; `is_idle`
    where it works on nothing else."""

    ahead: int = 0
    free: int = 0
    is_idle: bool = False

    def for_next(self, losses: Sequence[int]) -> int:
        """How many of those that come next, by how many workers were lost over each, fewest first."""
        if not losses:
            return 0
        alike = sum(one == losses[0] for one in losses)
        if losses[0] == 0:
            return min(self.ahead, alike)
        if losses[0] < ALONE_FROM:
            return min(self.ahead, self.free, alike)
        return 1 if self.is_idle and self.ahead else 0


@dataclass
class Waiting:
    """The attempts of a run that wait to be answered, in the order in which they are taken up."""

    run_id: UUID
    ids: deque[tuple[UUID, int]] = field(default_factory=deque)

    def next(self, room: "Room") -> list[UUID]:
        """The next ones; what workers were lost over comes last."""
        if not self.ids:
            rows = Attempt.objects.filter(run=self.run_id, state=AttemptState.PENDING).order_by("losses", "pk")
            self.ids.extend(rows.values_list("pk", "losses")[:READ_AT_ONCE])
        count = room.for_next([losses for _id, losses in islice(self.ids, room.ahead)])
        return [self.ids.popleft()[0] for _place in range(count)]


def claim_tasks(worker: Worker, waiting: Waiting, room: Room) -> tuple[list[Task], list[UUID]]:
    """Take up waiting attempts as far as there is room; and the items among theirs whose text was erased, not taken.

    Call inside a transaction.
    """
    ids = waiting.next(room)
    if not ids:
        return [], []
    rows = Attempt.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    contents = (f"item__revision__{name}" for name in FIELDS)
    found = rows.filter(pk__among=ids, state=AttemptState.PENDING).order_by("pk").values_list(*TASK, *contents)
    tasks, erased = [], []
    for attempt_id, item_id, case_id, revision_id, tries, spent, anonymised_at, *content in found:
        if anonymised_at is not None:
            erased.append(item_id)
        else:
            tasks.append(Task(attempt_id, item_id, case_id, revision_id, tries, _case(content), spent))
    taken = _take(worker, [task.attempt_id for task in tasks], AttemptState.PENDING, AttemptState.ANSWERING)
    if taken != len(tasks):
        raise RuntimeError("attempts that were locked have changed")
    return tasks, erased


@transaction.atomic
def claim_ungraded(worker: Worker, room: Room) -> list[tuple[UUID, UUID | None, int]]:
    """Take up answers that are stored and that nobody grades: attempts, scores, and workers lost over each.

    Their scores are the worker's too from now on, whoever held them: what a lost worker still finds is not stored.
    """
    rows = Attempt.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    free = Q(worker="") | Q(leased_until=None) | Q(leased_until__lte=timezone.now())
    mine = rows.filter(free, run=worker.run_id, state=AttemptState.ANSWERED).order_by("losses", "pk")
    found: Any = list(mine.values_list("pk", "score_id", "losses")[: room.ahead])
    if found and found[0][2] < LOSSES:
        found = found[: room.for_next([losses for *_ids, losses in found])]
    _take(worker, [attempt_id for attempt_id, *_rest in found], AttemptState.ANSWERED, AttemptState.GRADING)
    scores = Score.objects.filter(pk__among=[score_id for _attempt, score_id, _losses in found if score_id])
    # Not counted up: how many workers were lost over it is known of the attempt, and a slice that ends loses nothing.
    scores.filter(state=ScoreState.WAITING).update(claim=worker.pk, claimed_at=timezone.now(), claims=1)
    return list(found)


def _take(worker: Worker, attempt_ids: Sequence[UUID], before: AttemptState, after: AttemptState) -> int:
    if not attempt_ids:
        return 0
    rows = Attempt.objects.filter(pk__among=attempt_ids, state=before)
    return rows.update(state=after, worker=str(worker.pk), leased_until=lease_end())


def lease_end() -> Any:
    """Until when a lease holds that is given now."""
    return timezone.now() + timedelta(seconds=settings.EVAL_LEASE_SECONDS)


def renew_leases(worker: Worker) -> None:
    """The worker is still at everything that it holds."""
    held_by(worker).update(leased_until=lease_end())
    Score.objects.filter(claim=worker.pk, state=ScoreState.WAITING).update(claimed_at=timezone.now())


def held_by(worker: Worker) -> QuerySet[Attempt]:
    """The attempts that this worker holds."""
    return Attempt.objects.filter(run=worker.run_id, state__in=HELD, worker=str(worker.pk))


def hand_back(worker: Worker, attempt_ids: Collection[UUID] | None = None) -> None:
    """Give up what the worker holds, or some of it, as if it had not been taken; no answer is lost by that."""
    rows = held_by(worker)
    if attempt_ids is not None:
        rows = rows.filter(pk__in=attempt_ids)
    _free(rows)


def return_expired(run: EvalRun | None = None) -> None:
    """Let go of what workers hold whose lease is over (EV-D29): unanswered attempts wait again, answers for grading.

    An attempt that was lost too often is an error; a stored answer never is: it is only graded again.
    """
    rows = Attempt.objects.filter(state__in=(AttemptState.ANSWERING, AttemptState.GRADING))
    rows = rows.filter(leased_until__lt=timezone.now())
    rows = rows if run is None else rows.filter(run=run)
    lost = Reason(causes.WORKER_LOST, {"times": LOSSES}).as_json()
    given_up: dict[str, Any] = {"state": AttemptState.ERROR, "error": lost, "done_at": timezone.now()}
    last = rows.filter(state=AttemptState.ANSWERING, losses__gte=LOSSES - 1)
    last.update(**given_up, worker="", leased_until=None, losses=F("losses") + 1)
    _free(rows, loses=1)


def _free(rows: QuerySet[Attempt], *, loses: int = 0) -> None:
    nobody: dict[str, Any] = {"worker": "", "leased_until": None, "losses": F("losses") + loses}
    rows.filter(state=AttemptState.ANSWERING).update(state=AttemptState.PENDING, **nobody)
    rows.filter(state__in=(AttemptState.ANSWERED, AttemptState.GRADING)).update(state=AttemptState.ANSWERED, **nobody)


def _case(content: Iterable[Any]) -> CaseDraft:
    named: dict[str, Any] = dict(zip(FIELDS, content, strict=True))
    return CaseDraft(**named | {name: tuple(named[name]) for name in LISTS})
