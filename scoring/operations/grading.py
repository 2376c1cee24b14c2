"""Grading scores that wait: rules in one batch, judges side by side, each result stored as soon as it is there.

Safe to deliver twice and after a killed worker: a score is taken up by one worker at a time (operations/claims.py), and
what was stored is not graded again, so that no judge is paid twice for it.
"""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any
from uuid import UUID

import anyio
from django.db import Error as DatabaseFailure
from django.db import transaction

from agents.loop.desk import Desk, run_attended
from core.ids import new_id
from core.limits import LIMITS
from core.logging import logger
from scoring.logic.causes import Cause
from scoring.logic.checks import CheckRunner
from scoring.logic.criteria import asked_criteria
from scoring.logic.verdicts import findings_without_verdict
from scoring.operations.acting import acting_for, judge_for_nobody
from scoring.operations.claims import claim_scores, hand_back, show_life
from scoring.operations.graded_rows import ANSWER_GONE, CASE_ERASED, GIVEN_UP, Finished, not_gradable, store_graded
from scoring.operations.judging import Judged, judge_answer
from scoring.operations.ruling import Ruled, grade_by_rules
from scoring.places import followers_of_sets, tell_of_grading
from scoring.queries.grading_material import Material, material_of

log = logger("casebook.grading")

# So many are taken up at once: their rules are graded in one go, and no more is lost where the worker dies.
TAKEN_AT_ONCE = 250
# A job begins nothing new after so long, since a judge may take minutes and a job is stopped after ten.
BEGINS_FOR_SECONDS = 90.0
SIGN_OF_LIFE_SECONDS = 30.0


def grade_scores(score_ids: Sequence[UUID]) -> list[UUID]:
    """Grade those of the scores that still wait; the ids of those that time did not suffice for, for another job.

    The worker acts as the person who asked, with their access at that moment (SC-D54). One faulty answer costs its own
    result. Raises only what the database does.
    """
    with CheckRunner() as runner:
        work = _Work(deque(score_ids), runner)
        first = work.take_up()
        if first:
            run_attended(partial(_judge_side_by_side, work, first))
    _tell_followers(work.sets)
    return list(work.ids)


@dataclass
class _Work:
    """The scores of one job: `ids` are not taken up yet, `sets` are the sets of stored answers that some are of.

    All of it runs in the thread that keeps the database.
    """

    ids: deque[UUID]
    runner: CheckRunner
    sets: set[UUID] = field(default_factory=set)
    claim: UUID = field(default_factory=new_id)
    begun: float = field(default_factory=monotonic)

    @property
    def is_over(self) -> bool:
        return monotonic() - self.begun > BEGINS_FOR_SECONDS

    def take_up(self) -> list[Ruled]:
        """The next scores that need their judge; what rules alone decide is stored on the way. Empty at the end."""
        while self.ids and not self.is_over:
            some = [self.ids.popleft() for _ in range(min(TAKEN_AT_ONCE, len(self.ids)))]
            taken = material_of(claim_scores(some, claim=self.claim))
            self.sets |= {one.score.answer_set_id for one in taken if one.score.answer_set_id}
            ends = [end for material in taken if (end := end_without_grading(material))]
            ended = {end.score_id for end in ends}
            ruled = grade_by_rules(self.runner, [each for each in taken if each.score.id not in ended])
            to_judge = [one for one in ruled if one.needs_judge]
            left = {one.score.id for one in to_judge}
            ends += [one.finished() for one in ruled if one.score.id not in left]
            self._store(ends)
            if to_judge:
                return to_judge
        return []

    def store(self, ruled: Ruled, judged: Judged) -> None:
        self._store([ruled.finished(judged)])

    @transaction.atomic
    def _store(self, finished: Sequence[Finished]) -> None:
        """Store them and tell who follows; of one that was taken over they are told too, and see its state."""
        if store_graded(finished, claim=self.claim):
            tell_of_grading([one.score_id for one in finished])

    def give_back(self, ruled: Sequence[Ruled]) -> None:
        """Leave what was not begun to another job."""
        ids = [one.score.id for one in ruled]
        hand_back(ids, claim=self.claim)
        self.ids.extend(ids)


def _tell_followers(answer_set_ids: Collection[UUID]) -> None:
    """Say that grading of these sets went on; what fails there is found again later and costs no grade."""
    for follower in followers_of_sets() if answer_set_ids else ():
        for answer_set_id in answer_set_ids:
            try:
                follower.graded(answer_set_id)
            except DatabaseFailure as error:
                log.error("answer_set.not_followed", answer_set=str(answer_set_id), error=type(error).__name__)


def end_without_grading(material: Material) -> Finished | None:
    """A score that cannot be graded; None where it can."""
    score = material.score
    end = partial(not_gradable, score.id, material.settings, material.before)
    if score.claims > LIMITS.grading_claims:
        log.error("score.given_up", score=str(score.id))
        return end(GIVEN_UP)
    if material.case is None:
        return end(CASE_ERASED)
    return end(ANSWER_GONE) if material.answer is None else None


async def _judge_side_by_side(work: _Work, first: list[Ruled], desk: Desk[Any]) -> None:
    """As many judge calls at once as one worker may have in flight, taking up further scores as these are done."""
    waiting, lock = deque(first), anyio.Lock()

    async def next_one() -> Ruled | None:
        async with lock:
            if not waiting and not work.is_over:
                waiting.extend(await desk.do(work.take_up))
            return waiting.popleft() if waiting and not work.is_over else None

    async def judge_on() -> None:
        while (ruled := await next_one()) is not None:
            judged = await _judged(desk, ruled)
            await desk.do(partial(work.store, ruled, judged))

    async def stay_alive() -> None:
        while True:
            await anyio.sleep(SIGN_OF_LIFE_SECONDS)
            await desk.do(partial(show_life, work.claim))

    async with anyio.create_task_group() as alive:
        alive.start_soon(stay_alive)
        async with anyio.create_task_group() as judges:
            for _ in range(LIMITS.judge_calls_at_once):
                judges.start_soon(judge_on)
        alive.cancel_scope.cancel()
    await desk.do(partial(work.give_back, list(waiting)))


async def _judged(desk: Desk[Any], ruled: Ruled) -> Judged:
    """What the judge found for the person who asked; a fault of ours costs this one score its verdict."""
    score, settings, case, answer = ruled.score, ruled.settings, ruled.case, ruled.answer
    try:
        actor = await desk.do(partial(acting_for, score))
        if actor is None:
            return await desk.do(partial(judge_for_nobody, score, settings, case, answer))
        return await judge_answer(desk, actor, dataset=score.dataset, settings=settings, case=case, answer=answer)
    except DatabaseFailure:
        raise
    except Exception as error:
        log.error("score.not_judged", score=str(score.id), error=type(error).__name__)
        cause = Cause.FAILED
        criteria = asked_criteria(case, settings)
        return Judged(findings_without_verdict(criteria, cause, cause.verdict, cause.reason, case, answer))
