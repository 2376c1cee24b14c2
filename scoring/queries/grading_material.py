"""What is needed to grade scores, read for many at once: settings, cases and answers as they are stored, unmasked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import prefetch_related_objects

from activity.models import Run
from datasets.logic.drafts import CaseDraft
from datasets.queries.seen_cases import content_of
from scoring.logic.answers import GradedAnswer
from scoring.logic.copies import calls_of_json
from scoring.logic.findings import EvaluatorResult
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import Score, WaitingAnswer
from scoring.queries.graded_revisions import graded_revisions
from scoring.queries.run_answers import graded_answers_of


@dataclass(frozen=True)
class Material:
    """One score with all that grades it; `answer` is None where it is gone, `case` where its text was erased.

    `before` are the results of an earlier grading, empty at the first one.
    """

    score: Score
    settings: Settings
    case: CaseDraft | None
    answer: GradedAnswer | None
    before: tuple[EvaluatorResult, ...] = ()


def material_of(score_ids: Iterable[UUID]) -> list[Material]:
    """The scores with their material, in the order of their making; a handful of queries."""
    scores = list(Score.objects.filter(pk__in=list(score_ids)).order_by("created_at", "pk"))
    # Scores of one job share dataset and settings: each is read once, and not again beside every score.
    prefetch_related_objects(scores, "snapshot", "dataset__organisation", "run")
    cases, answers = _cases_of(scores), answers_of(scores)
    snapshots = {score.snapshot_id: score.snapshot.settings for score in scores}
    settings = {key: Settings.of_json(completed(stored)) for key, stored in snapshots.items()}
    return [
        Material(
            score,
            settings[score.snapshot_id],
            cases.get(score.pk),
            answers.get(score.pk),
            tuple(EvaluatorResult.of_json(result) for result in score.results),
        )
        for score in scores
    ]


def answers_of(scores: Sequence[Score]) -> dict[UUID, GradedAnswer]:
    """The whole answer of each score that has one: what waits beside it, its run's transcript, else a copy that was not
    cut (SC-D57). One that was cleared is gone (SC-151)."""
    there = [score for score in scores if score.answer_removed_at is None]
    waiting = {row.score_id: row for row in WaitingAnswer.objects.filter(score__in=there)}
    runs = Run.objects.filter(pk__in={score.run_id for score in there if score.run_id and score.pk not in waiting})
    of_runs = graded_answers_of(list(runs))
    found = {}
    for score in there:
        took: dict[str, Any] = {"cost": score.cost, "seconds": score.seconds}
        if score.pk in waiting:
            row = waiting[score.pk]
            found[score.pk] = GradedAnswer(row.text, calls_of_json(row.calls), **took)
        elif score.run_id in of_runs:
            found[score.pk] = replace(of_runs[score.run_id], **took)
        elif not score.answer_cut:
            found[score.pk] = GradedAnswer(score.answer, calls_of_json(score.calls), **took)
    return found


def _cases_of(scores: Sequence[Score]) -> dict[UUID, CaseDraft]:
    """The case of each score in the version it is graded against, by the score's id; erased ones are left out."""
    revisions = graded_revisions(scores)
    return {key: content_of(revision) for key, revision in revisions.items() if revision.anonymised_at is None}
