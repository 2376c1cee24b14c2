"""Sets of stored answers and their test runs: which are ready, which have one, what each is compared with."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from evals.models import EvalRun, EvalState
from evals.queries.run_links import link_to
from scoring.models import AnswerSet, Score, ScoreState
from scoring.places import TestRunLink


def is_graded(answer_set_id: UUID) -> bool:
    """Whether the set is there, with answers, none of which waits to be graded."""
    scores = Score.objects.filter(answer_set=answer_set_id)
    return not scores.filter(state=ScoreState.WAITING).exists() and scores.exists()


def sets_without_a_run(most: int) -> list[UUID]:
    """Graded sets that are no test run yet, the oldest first, so that each is compared with those before it."""
    scores = Score.objects.filter(answer_set=OuterRef("pk"))
    graded = Exists(scores), ~Exists(scores.filter(state=ScoreState.WAITING))
    rows = AnswerSet.objects.filter(*graded, eval_run=None).order_by("created_at", "pk")
    return list(rows.values_list("pk", flat=True)[:most])


def baseline_of_set(answer_set: AnswerSet, pin_hash: str) -> EvalRun | None:
    """What the set's run is compared with: the choice of EV-D40 among the runs before it of its agent.

    A set of which nobody said who answered is compared with the sets of which neither.
    """
    same = Q(agent=answer_set.agent_id) if answer_set.agent_id else Q(agent=None, answer_set__isnull=False)
    rows = EvalRun.objects.filter(same, dataset=answer_set.dataset_id, state=EvalState.COMPLETED, archived_at=None)
    before = rows.filter(created_at__lte=answer_set.created_at).order_by("-finished_at", "-pk")
    pinned = rows.filter(is_baseline=True).first() if answer_set.agent_id else None
    return pinned or before.filter(pin_hash=pin_hash).first() or before.first()


def run_of_set(actor: Actor, answer_set: AnswerSet) -> TestRunLink | None:
    """The set's test run, for who may open it (EV-D53); the dataset was found for them before."""
    if not access.may(actor, Permission.RUNS_VIEW):
        return None
    run = EvalRun.objects.filter(answer_set=answer_set).only("number", "label").first()
    return link_to(run) if run else None
