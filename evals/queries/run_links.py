"""Test runs as other pages name them: number, label and the way there, for who may open them (EV-47, EV-D53)."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.numbers import count
from core.times import exact
from datasets.models import Dataset
from evals.models import Attempt, EvalRun
from scoring.models import Score
from scoring.places import TestRunLink

# So many runs are offered where one is chosen.
OFFERED = 50


def name_of(run: EvalRun) -> str:
    """What the run is called wherever it is named in a few words."""
    number = number_of(run)
    return f"{number} · {run.label}" if run.label else number


def number_of(run: EvalRun) -> str:
    """The number alone, by which runs of one label are told apart."""
    return _("Test run %(number)s") % {"number": count(run.number)}


def choice_of(run: EvalRun) -> str:
    """What the run is called where one of many is chosen: with the moment of its start."""
    return f"{name_of(run)} · {exact(run.created_at)}"


def link_to(run: EvalRun) -> TestRunLink:
    """The run with its address."""
    return TestRunLink(run.pk, name_of(run), reverse("eval", args=[run.pk]), run.created_at)


def runs_of_scores(actor: Actor, scores: Sequence[Score]) -> Mapping[UUID, TestRunLink]:
    """The run of each of the scores, of a dataset that the actor sees, by the score's id; one query (EV-16)."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return {}
    attempts = Attempt.objects.filter(score__in=[score.pk for score in scores]).select_related("run")
    found = attempts.only("score_id", "run__number", "run__label", "run__created_at")
    return {attempt.score_id: link_to(attempt.run) for attempt in found if attempt.score_id}


def newest_runs(actor: Actor, dataset: Dataset, besides: Collection[UUID] = ()) -> list[TestRunLink]:
    """The newest runs of the dataset that the actor may open, and those of `besides` that are others of them."""
    return [link_to(run) for run in runs_to_choose(actor, dataset, besides)]


def runs_to_choose(actor: Actor, dataset: Dataset, besides: Collection[UUID] = ()) -> list[EvalRun]:
    """The same as rows, without what was archived; with agent and version, the newest first."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return []
    rows = EvalRun.objects.filter(dataset=dataset).select_related("agent", "agent_version")
    rows = rows.defer("agent__draft", "agent_version__spec", "estimate", "kept", "options", "left_out")
    newest = rows.filter(archived_at=None).order_by("-created_at", "-id")
    found = list(newest[:OFFERED])
    if others := set(besides) - {run.pk for run in found}:
        found += rows.filter(pk__in=others)
    return found


def scores_of_run(
    actor: Actor, dataset: Dataset, scores: QuerySet[Score], run_ids: Collection[UUID]
) -> QuerySet[Score]:
    """Those of the scores that are part of one of the runs; none where the actor may not open runs."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return scores.none()
    mine = Attempt.objects.filter(run__in=list(run_ids), run__dataset=dataset).order_by()
    return scores.filter(pk__in=mine.values("score"))
