"""Background jobs of scoring: ids in, reload, one operation, safe to repeat."""

from collections.abc import Sequence
from uuid import UUID

from core.jobs import enqueue
from core.limits import LIMITS
from scoring.models import AnswerSet
from scoring.operations.claims import lost_scores
from scoring.operations.grading import grade_scores
from scoring.queries.answer_sets import scores_of_slice, slices_of


def grade_score_job(score_id: str) -> None:
    """Grade one score that waits."""
    grade([UUID(score_id)])


def grade_answers_job(answer_set_id: str, first_score_id: str) -> None:
    """Grade one part of a set of stored answers, named by its first score; nothing where the set is gone."""
    grade(scores_of_slice(UUID(answer_set_id), UUID(first_score_id), LIMITS.answers_a_grading_job))


def enqueue_answer_set(answer_set: AnswerSet) -> None:
    """Have the answers of a set graded, in parts that workers share."""
    for first in slices_of(answer_set, LIMITS.answers_a_grading_job):
        enqueue(grade_answers_job, answer_set_id=answer_set.pk, first_score_id=first)


def grade_lost_scores_job() -> None:
    """Every two minutes: grade scores whose job was lost or whose worker died, and go on while there are more."""
    ids = lost_scores(LIMITS.answers_a_grading_job)
    if not ids:
        return
    grade_scores(ids)
    if lost_scores(1):
        enqueue(grade_lost_scores_job)


def grade(score_ids: Sequence[UUID]) -> None:
    """Grade these; what the time of one job does not suffice for gets jobs of its own."""
    for score_id in grade_scores(score_ids):
        enqueue(grade_score_job, score_id=score_id)
