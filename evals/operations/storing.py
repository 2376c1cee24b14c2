"""Storing answers in groups: the agent's runs, scores that wait, and attempts, in one transaction for all that arrived.

An answer that is stored is never bought again (EV-D17, EV-D29): whoever stores an attempt first has stored it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings as configured
from django.utils import timezone

from accounts.actor import Actor
from activity.operations.bulk_rows import update_rows
from activity.operations.collected_runs import CollectedAnswer, store_collected
from agents.models import Agent
from agents.operations.spending import record_costs
from core.json_text import json_text
from datasets.models import CaseRevision, Dataset
from evals.logic import causes
from evals.logic.attempt_ends import MEANS, AttemptEnd, error_key
from evals.models import Attempt, AttemptState, EvalRun, Worker
from evals.operations.claiming import Task, lease_end
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.findings import Reason
from scoring.logic.settings import Settings
from scoring.models import ScoreOrigin
from scoring.operations.scores import AnswerToGrade, open_scores
from scoring.queries.grading_material import Material, TakenScore

COLUMNS = (
    "state", "worker", "leased_until", "tries", "error", "error_key", "agent_run_id", "score_id", "cost", "seconds",
    "input_tokens", "output_tokens", "model", "answered_at", "done_at",
)  # fmt: skip
# An attempt that took too long is tried once more (EV-D24).
TRIES_IN_TIME = 2


@dataclass(frozen=True)
class Arrived:
    """What came of an attempt: an answer, or None where the agent was stopped, because its time was over or the run was
    cancelled. `cut_off` is what it had done until then: a run in Activity, and paid for."""

    task: Task
    collected: CollectedAnswer | None
    at: datetime = field(default_factory=timezone.now)
    cut_off: CollectedAnswer | None = None
    is_cancelled: bool = False

    @property
    def cost(self) -> Decimal | None:
        """What it brought about, in USD; None where that is not known."""
        if self.collected is not None:
            return self.collected.cost
        return self.cut_off.cost if self.cut_off and self.cut_off.messages else None

    @property
    def whole_cost(self) -> Decimal | None:
        """The same with what earlier tries of the attempt cost that were cut off."""
        if self.task.spent is None or (self.collected is not None and self.cost is None):
            return self.cost
        return self.task.spent + (self.cost or Decimal(0))

    @property
    def end(self) -> AttemptEnd:
        if self.is_cancelled:
            return AttemptEnd.CANCELLED
        return MEANS[self.collected.end.status] if self.collected else AttemptEnd.ERROR

    @property
    def answer(self) -> GradedAnswer | None:
        """As it is graded; None where there is none."""
        if self.collected is None or self.end not in (AttemptEnd.ANSWER, AttemptEnd.EMPTY_ANSWER):
            return None
        text = self.collected.text if self.end is AttemptEnd.ANSWER else ""
        calls = tuple(MadeCall(call.name, call.arguments, call.outcome) for call in self.collected.calls)
        return GradedAnswer(text, calls, cost=self.collected.cost, seconds=self.collected.seconds)


@dataclass(frozen=True)
class Held:
    """An answer that is stored, and its material for grading."""

    attempt_id: UUID
    material: Material


@dataclass
class Stored:
    """`held` is to be graded; `erased` are the items whose text was erased; `failed` whether some ended as errors."""

    held: list[Held] = field(default_factory=list)
    erased: list[UUID] = field(default_factory=list)
    failed: bool = False
    over_budget: str = ""


def store_answers(run: EvalRun, worker: Worker, actor: Actor, settings: Settings, arrived: Sequence[Arrived]) -> Stored:
    """Store what arrived. Call inside a transaction, whose first act this is: the dataset is locked, so that no text is
    erased meanwhile (ACC-D35)."""
    stored = Stored()
    if not arrived:
        return stored
    dataset = Dataset.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run.dataset_id).first()
    erased = _erased_revisions(arrived) if dataset else {each.task.revision_id for each in arrived}
    _count_only([each for each in arrived if each.task.revision_id in erased])
    kept = [each for each in arrived if each.task.revision_id not in erased]
    store_collected([each.collected for each in kept if each.collected and _is_worth_keeping(each.collected)])
    if dataset is None:
        return stored
    open_ids = _open_attempts(arrived)
    stored.erased = [each.task.item_id for each in arrived if each.task.revision_id in erased]
    mine = [each for each in kept if each.task.attempt_id in open_ids]
    scores = _open_scores(run, worker, actor, settings, mine, stored)
    update_rows(Attempt, COLUMNS, ((each.task.attempt_id, _row(each, worker, scores, stored)) for each in mine))
    return stored


def _erased_revisions(arrived: Sequence[Arrived]) -> set[int]:
    rows = CaseRevision.objects.filter(pk__in={each.task.revision_id for each in arrived})
    return set(rows.exclude(anonymised_at=None).values_list("pk", flat=True))


def _count_only(arrived: Sequence[Arrived]) -> None:
    """Keep no word of these answers, and what they cost."""
    found = [each.collected for each in arrived if each.collected]
    there = set(Agent.objects.filter(pk__in={one.prepared.agent_id for one in found}).values_list("pk", flat=True))
    record_costs((one.prepared.agent_id, one.cost, one.started_at) for one in found if one.prepared.agent_id in there)


def _is_worth_keeping(collected: CollectedAnswer) -> bool:
    """A run that a budget stopped before its first call says nothing."""
    return bool(collected.messages) or MEANS[collected.end.status] is not AttemptEnd.OVER_BUDGET


def _open_attempts(arrived: Sequence[Arrived]) -> set[UUID]:
    """Those that nobody has stored yet, locked. An answer that came twice is kept in Activity, and once here."""
    rows = Attempt.objects.select_for_update(no_key=True, of=("self",)).order_by("pk")
    rows = rows.filter(pk__among=[each.task.attempt_id for each in arrived])
    unanswered = (AttemptState.PENDING, AttemptState.ANSWERING)
    return set(rows.filter(state__in=unanswered).values_list("pk", flat=True))


def _open_scores(
    run: EvalRun, worker: Worker, actor: Actor, settings: Settings, mine: Sequence[Arrived], stored: Stored
) -> dict[UUID, UUID]:
    answered = [(each, each.answer) for each in mine]
    graded = [(each, answer) for each, answer in answered if answer is not None]
    ids = open_scores(
        actor,
        dataset=run.dataset,
        version=run.version,
        snapshot=run.snapshot,
        origin=ScoreOrigin.EVAL,
        answers=[_to_grade(run, each, answer) for each, answer in graded],
        is_pinned=True,
        claim=worker.pk,
    )
    for (each, answer), score_id in zip(graded, ids, strict=True):
        taken = TakenScore(score_id, run.dataset, actor.member_id, 1, None)
        stored.held.append(Held(each.task.attempt_id, Material(taken, settings, each.task.case, answer)))
    return {held.attempt_id: held.material.score.id for held in stored.held}


def _to_grade(run: EvalRun, each: Arrived, answer: GradedAnswer) -> AnswerToGrade:
    collected = each.collected
    return AnswerToGrade(
        case_id=each.task.case_id,
        answer=answer,
        run_id=collected.run_id if collected else None,
        agent_id=run.agent_id,
        agent_version_id=run.agent_version_id,
        model=collected.fields["model"] if collected else "",
    )


def _row(each: Arrived, worker: Worker, scores: dict[UUID, UUID], stored: Stored) -> tuple[Any, ...]:
    score_id = scores.get(each.task.attempt_id)
    tries = each.task.tries + 1
    if score_id is not None:
        held = (AttemptState.ANSWERED.value, str(worker.pk), lease_end())
        return (*held, tries, None, "", *_took(each, score_id), each.at, None)
    if _goes_on_waiting(each, tries, stored):
        return (AttemptState.PENDING.value, "", None, tries, None, "", *_took(each, None), None, None)
    if each.end is AttemptEnd.CANCELLED:
        return (AttemptState.CANCELLED.value, "", None, tries, None, "", *_took(each, None), None, each.at)
    stored.failed = True
    error, key = _error(each)
    told = json_text(error.as_json())
    return (AttemptState.ERROR.value, "", None, tries, told, key, *_took(each, None), None, each.at)


def _goes_on_waiting(each: Arrived, tries: int, stored: Stored) -> bool:
    """It is asked again: now, after it took too long for the first time, or once the run is resumed with a budget."""
    if each.collected is None:
        return tries < TRIES_IN_TIME and not each.is_cancelled
    if each.end is AttemptEnd.OVER_BUDGET:
        stored.over_budget = each.collected.end.error
        return True
    return False


def _took(each: Arrived, score_id: UUID | None) -> tuple[Any, ...]:
    """The columns from `agent_run_id` to `model`."""
    collected = each.collected
    if collected is None or not _is_worth_keeping(collected):
        run_id = each.cut_off.run_id if each.cut_off else None
        cost = each.whole_cost if collected is None else each.task.spent
        return (run_id, score_id, cost, None, None, None, "")
    took = collected.fields
    used = (took["input_tokens"], took["output_tokens"], took["model"])
    return (collected.run_id, score_id, each.whole_cost, collected.seconds, *used)


def _error(each: Arrived) -> tuple[Reason, str]:
    """Why there is no answer, and what equal permanent errors share; one that may pass is equal to none (EV-D20)."""
    if each.collected is None:
        seconds = configured.EVAL_ATTEMPT_TIMEOUT_SECONDS
        return Reason(causes.TOOK_TOO_LONG, {"seconds": seconds}), ""
    end = each.collected.end
    key = "" if end.may_pass else error_key(end.cause, end.error)
    return Reason(causes.AGENT_FAILED, {"error": end.error}), key
