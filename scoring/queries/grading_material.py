"""What is needed to grade scores, read for many at once: settings, cases and answers as they are stored, unmasked.

Read as values: the model instances of all this took longer than the grading.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from activity.models import Run
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from scoring.logic.answers import GradedAnswer
from scoring.logic.copies import calls_of_json
from scoring.logic.findings import EvaluatorResult
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import GradingSnapshot, Score
from scoring.queries.graded_revisions import graded_contents
from scoring.queries.run_answers import graded_answers_of


@dataclass(frozen=True)
class TakenScore:
    """What grading knows of a score: whose judge is asked for whom, how many workers took it up, and of which set of
    stored answers it is."""

    id: UUID
    dataset: Dataset
    asked_by_id: UUID | None
    claims: int
    answer_set_id: UUID | None


@dataclass(frozen=True)
class Material:
    """One score with all that grades it; `answer` is None where it is gone, `case` where its text was erased.

    `before` are the results of an earlier grading, empty at the first one.
    """

    score: TakenScore
    settings: Settings
    case: CaseDraft | None
    answer: GradedAnswer | None
    before: tuple[EvaluatorResult, ...] = ()


class _Row(NamedTuple):
    """A score and the whole of its answer that waits beside it; `calls` is None where none does."""

    id: UUID
    snapshot_id: int
    asked_by_id: UUID | None
    claims: int
    answer_set_id: UUID | None
    results: Any
    run_id: UUID | None
    answer_cut: bool
    answer_removed_at: datetime | None
    cost: Decimal | None
    seconds: float | None
    text: str | None
    calls: Any


COLUMNS = (*_Row._fields[:-2], "waiting_answer__text", "waiting_answer__calls")


def material_of(score_ids: Iterable[UUID]) -> list[Material]:
    """The scores with their material, in the order of their making; a handful of queries."""
    rows = _rows(score_ids)
    cases, answers = graded_contents([row.id for row in rows]), _answers(rows)
    used = GradingSnapshot.objects.select_related("dataset__organisation")
    snapshots = used.in_bulk({row.snapshot_id for row in rows})
    settings = {key: Settings.of_json(completed(snapshot.settings)) for key, snapshot in snapshots.items()}
    return [
        Material(
            TakenScore(row.id, snapshots[row.snapshot_id].dataset, row.asked_by_id, row.claims, row.answer_set_id),
            settings[row.snapshot_id],
            cases.get(row.id),
            answers.get(row.id),
            tuple(EvaluatorResult.of_json(result) for result in row.results),
        )
        for row in rows
    ]


def answers_of(score_ids: Iterable[UUID]) -> dict[UUID, GradedAnswer]:
    """The whole answer of each score that has one: what waits beside it, its run's transcript, else a copy that was not
    cut (SC-D57). One that was cleared is gone (SC-151)."""
    return _answers(_rows(score_ids))


def _rows(score_ids: Iterable[UUID]) -> list[_Row]:
    rows = Score.objects.filter(pk__among=score_ids).order_by("created_at", "pk")
    return [_Row(*values) for values in rows.values_list(*COLUMNS)]


def _answers(rows: Sequence[_Row]) -> dict[UUID, GradedAnswer]:
    there = [row for row in rows if row.answer_removed_at is None]
    found = {
        row.id: GradedAnswer(row.text or "", calls_of_json(row.calls), cost=row.cost, seconds=row.seconds)
        for row in there
        if row.calls is not None
    }
    others = [row for row in there if row.calls is None]
    if others:
        found |= _answers_of_runs(others)
        found |= _whole_copies([row for row in others if row.id not in found and not row.answer_cut])
    return found


def _answers_of_runs(rows: Sequence[_Row]) -> dict[UUID, GradedAnswer]:
    runs = Run.objects.filter(pk__among={row.run_id for row in rows if row.run_id})
    answers = graded_answers_of(list(runs))
    return {
        row.id: replace(answers[row.run_id], cost=row.cost, seconds=row.seconds)
        for row in rows
        if row.run_id in answers
    }


def _whole_copies(rows: Sequence[_Row]) -> dict[UUID, GradedAnswer]:
    stored: Any = Score.objects.filter(pk__among=[row.id for row in rows]).values_list("pk", "answer", "calls")
    copies = {score_id: (text, calls_of_json(calls)) for score_id, text, calls in stored}
    return {
        row.id: GradedAnswer(*copies[row.id], cost=row.cost, seconds=row.seconds) for row in rows if row.id in copies
    }
