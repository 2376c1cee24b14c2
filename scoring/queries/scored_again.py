"""Which scores Score again can never reach a verdict on, by the settings they were graded with (SC-135, SC-D56)."""

from collections.abc import Iterable
from uuid import UUID

from scoring.logic.findings import EvaluatorResult
from scoring.logic.rules import needs_judge
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import GradingSnapshot, Score


def lacks_model_for_good(score: Score) -> bool:
    """Whether a criterion has no verdict and the kept settings name neither a model nor a judge agent."""
    results = [EvaluatorResult.of_json(result) for result in score.results]
    return needs_judge(results) and _lacks_model(score.snapshot)


def without_model_for_good(scores: Iterable[Score]) -> set[UUID]:
    """The ids of the unscored ones among a page of a list, whose results were not read, of which that is so."""
    troubled = {score.pk: score.snapshot_id for score in scores if score.judge_trouble}
    used = GradingSnapshot.objects.filter(pk__in=set(troubled.values())) if troubled else ()
    nameless = {snapshot.pk for snapshot in used if _lacks_model(snapshot)}
    return {score_id for score_id, snapshot_id in troubled.items() if snapshot_id in nameless}


def _lacks_model(snapshot: GradingSnapshot) -> bool:
    return Settings.of_json(completed(snapshot.settings)).lacks_model
