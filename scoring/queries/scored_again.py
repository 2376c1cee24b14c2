"""Which scores Score again can never reach a verdict on, by the settings they were graded with (SC-135, SC-D56)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from datasets.models import Dataset
from scoring.logic.findings import EvaluatorResult
from scoring.logic.rules import needs_judge
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import GradingSnapshot, Score, ScoreOutcome
from scoring.queries.scores import ScoreFilter, scores_of

TROUBLE = ("pk", "judge_trouble", "snapshot_id")


def lacks_model_for_good(score: Score) -> bool:
    """Whether a criterion has no verdict and the kept settings name neither a model nor a judge agent."""
    results = [EvaluatorResult.of_json(result) for result in score.results]
    return needs_judge(results) and _lacks_model(score.snapshot)


def without_model_for_good(scores: Iterable[Score]) -> set[UUID]:
    """The ids of the unscored ones among a page of a list, whose results were not read, of which that is so."""
    return _nameless({score.pk: score.snapshot_id for score in scores if score.judge_trouble})


@dataclass(frozen=True)
class Scorable:
    """Which of some scores Score again may help, in their order, and how many others have no judge for good."""

    ids: tuple[UUID, ...]
    without_model: int


def scorable_among(dataset: Dataset, score_ids: Sequence[UUID]) -> Scorable:
    """Of the dataset's scores with these ids, the unscored ones that Score again may help; two queries."""
    rows = Score.objects.filter(dataset=dataset, pk__in=score_ids, outcome=ScoreOutcome.UNSCORED).values_list(*TROUBLE)
    unscored = {score_id: (trouble, snapshot_id) for score_id, trouble, snapshot_id in rows}
    never = _nameless({score_id: snapshot_id for score_id, (trouble, snapshot_id) in unscored.items() if trouble})
    return Scorable(tuple(one for one in score_ids if one in unscored and one not in never), len(never))


def unscored_of_run(actor: Actor, dataset: Dataset, run_id: UUID) -> list[UUID]:
    """The unscored answers of a test run that Score again may help, the newest first (EV-46); two queries.

    None for an actor who may not open the run.
    """
    wanted = ScoreFilter(automatic=ScoreOutcome.UNSCORED, eval_run_ids=(run_id,))
    rows = list(scores_of(actor, dataset, wanted).order_by("-created_at", "-id").values_list(*TROUBLE))
    never = _nameless({score_id: snapshot_id for score_id, trouble, snapshot_id in rows if trouble})
    return [score_id for score_id, _trouble, _snapshot in rows if score_id not in never]


def _nameless(troubled: Mapping[UUID, Any]) -> set[UUID]:
    """Those of the scores, each with its settings, whose settings name no judge."""
    used = GradingSnapshot.objects.filter(pk__in=set(troubled.values())) if troubled else ()
    nameless = {snapshot.pk for snapshot in used if _lacks_model(snapshot)}
    return {score_id for score_id, snapshot_id in troubled.items() if snapshot_id in nameless}


def _lacks_model(snapshot: GradingSnapshot) -> bool:
    return Settings.of_json(completed(snapshot.settings)).lacks_model
