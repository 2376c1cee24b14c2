"""The results of a test run as they are now (EV-D33, EV-D34), in two statements however large it is."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from evals.logic.results import NOT_ANSWERED
from evals.logic.run_results import ItemResult, RunResults, StoredAttempt
from evals.models import Attempt, AttemptKind, AttemptState, EvalItem, EvalRun
from scoring.logic.findings import Reason


def _holds(**condition: bool) -> ExpressionWrapper:
    """A condition as a column: a moment or an id is not made into an object only to ask whether it is there."""
    return ExpressionWrapper(Q(**condition), output_field=BooleanField())


# What is read of an attempt and its score; long texts and the evaluators' results are not.
READ = (
    "item_id", "number", "state", "kind", "score__outcome", "score__decided", "score_id", "score__number",
    "score__why", "error", "score__pin_hash", "score__judge_trouble", "cost", "score__judge_cost",
    _holds(answered_at__isnull=False), _holds(score__judge_run__isnull=False), "seconds", "input_tokens",
    "output_tokens", "model", "id", "agent_run_id",
)  # fmt: skip


def results_of(run: EvalRun, cases: Collection[UUID] | None = None) -> RunResults:
    """Every case of the run with its attempts, or only these. Asks nobody's permission: who may see the run sees its
    outcomes."""
    of_these = Q() if cases is None else Q(item__case__in=cases)
    attempts = stored_attempts(Attempt.objects.filter(of_these, run=run))
    items = EvalItem.objects.filter(Q() if cases is None else Q(case__in=cases), run=run).order_by("position", "id")
    return RunResults(
        tuple(
            ItemResult(item_id, case_id, revision_id, position, tuple(tags), tuple(attempts.get(item_id, ())))
            for item_id, case_id, revision_id, position, tags in items.values_list(
                "id", "case_id", "revision_id", "position", "tags"
            )
        )
    )


def stored_attempts(rows: QuerySet[Attempt]) -> dict[UUID, list[StoredAttempt]]:
    """These attempts as results read them, by their items, each in its order; one statement."""
    found: dict[UUID, list[StoredAttempt]] = {}
    for row in rows.order_by("number").values_list(*READ):
        found.setdefault(row[0], []).append(_attempt(*row[1:]))
    return found


def _attempt(
    number: int, state: str, kind: str, outcome: str | None, decided: str | None, score_id: UUID | None,
    score: float | None, why: Any, error: Any, pin_hash: str | None, trouble: str | None, cost: Any, judge_cost: Any,
    was_answered: bool, was_judged: bool, seconds: float | None, read: int | None, written: int | None,
    model: str, attempt_id: UUID, agent_run_id: UUID | None,
) -> StoredAttempt:  # fmt: skip
    is_unanswered = state == AttemptState.ERROR
    return StoredAttempt(
        number=number,
        state=state,
        is_confirming=kind == AttemptKind.CONFIRM,
        outcome=outcome or "",
        decided=decided or "",
        has_score=score_id is not None,
        score=score,
        why=(Reason.of_json(error) or NOT_ANSWERED) if is_unanswered else Reason.of_json(why),
        pin_hash=pin_hash or "",
        judge_trouble=trouble or "",
        cost=cost,
        judge_cost=judge_cost,
        was_asked=was_answered or read is not None,
        judge_was_asked=was_judged,
        seconds=seconds,
        input_tokens=read,
        output_tokens=written,
        model=model,
        id=attempt_id,
        score_id=score_id,
        agent_run_id=agent_run_id,
    )
