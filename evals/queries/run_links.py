"""Test runs as other pages name them: number, label and the way there, for who may open them (EV-47, EV-D53)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from evals.models import Attempt, EvalRun
from scoring.models import Score
from scoring.places import TestRunLink

# So many runs are offered where one is chosen.
OFFERED = 50


def name_of(run: EvalRun) -> str:
    """What the run is called wherever it is named in a few words."""
    number = _("Test run %(number)d") % {"number": run.number}
    return f"{number} · {run.label}" if run.label else number


def link_to(run: EvalRun) -> TestRunLink:
    """The run with its address."""
    return TestRunLink(run.pk, name_of(run), reverse("eval", args=[run.pk]))


def runs_of_scores(actor: Actor, scores: Sequence[Score]) -> Mapping[UUID, TestRunLink]:
    """The run of each of the scores, of a dataset that the actor sees, by the score's id; one query (EV-16)."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return {}
    attempts = Attempt.objects.filter(score__in=[score.pk for score in scores]).select_related("run")
    found = attempts.only("score_id", "run__number", "run__label")
    return {attempt.score_id: link_to(attempt.run) for attempt in found if attempt.score_id}


def newest_runs(actor: Actor, dataset: Dataset, besides: UUID | None = None) -> list[TestRunLink]:
    """The newest runs of the dataset that the actor may open, and `besides` where it is another one of them."""
    return [link_to(run) for run in runs_to_choose(actor, dataset, besides)]


def runs_to_choose(actor: Actor, dataset: Dataset, besides: UUID | None = None) -> list[EvalRun]:
    """The same as rows, without what was archived; with agent and version, the newest first."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return []
    rows = EvalRun.objects.filter(dataset=dataset).select_related("agent", "agent_version")
    rows = rows.defer("agent__draft", "agent_version__spec", "estimate", "kept", "options", "left_out")
    newest = rows.filter(archived_at=None).order_by("-created_at", "-id")
    found = list(newest[:OFFERED])
    if besides and besides not in {run.pk for run in found}:
        found += rows.filter(pk=besides)
    return found


def scores_of_run(actor: Actor, dataset: Dataset, scores: QuerySet[Score], run_id: UUID) -> QuerySet[Score]:
    """Those of the scores that are part of the run; none where the actor may not open it."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return scores.none()
    mine = Attempt.objects.filter(run=run_id, run__dataset=dataset).order_by()
    return scores.filter(pk__in=mine.values("score"))
