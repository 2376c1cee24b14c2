"""Finding test runs: one by its id, the list of a dataset's with its filters, and who waits before whom (EV-D53)."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from core.errors import NotFound
from core.folding import fold
from core.limits import LIMITS
from core.paging import Order
from datasets.models import Dataset
from evals.models import EvalRun, EvalState
from evals.queries.eval_acts import Acts, acts_for
from evals.queries.listed_runs import ListedRun, listed_runs, trend_of
from evals.queries.progress import progress_of_passes, progress_of_run, seconds_left_of

__all__ = [
    "NEWEST_FIRST",
    "Acts",
    "EvalFilter",
    "ListedRun",
    "acts_for",
    "ahead_of",
    "evals_of",
    "find_eval",
    "listed_runs",
    "progress_of_passes",
    "progress_of_run",
    "seconds_left_of",
    "trend_of",
]
NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]
NAMED = (
    "dataset__owner__user",
    "agent",
    "agent_version",
    "answer_set",
    "snapshot",
    "started_by__user",
    "baseline__agent",
    "baseline__agent_version",
    "baseline__snapshot",
)
UNREAD = ("agent__draft", "agent_version__spec", "baseline__agent__draft", "baseline__agent_version__spec")
# What a list does not show and may be long.
LONG = ("left_out", "estimate", "review", "baseline__left_out", "baseline__estimate", "baseline__review")


@dataclass(frozen=True)
class EvalFilter:
    """What to look for; an empty value asks for everything. `states` are any of them, `label` a part of it.

    Archived runs are listed with `archived` alone.
    """

    agent: UUID | None = None
    states: Collection[str] = ()
    label: str = ""
    archived: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.agent or self.states or self.label)


EVERY_RUN = EvalFilter()


def find_eval(actor: Actor, eval_id: UUID) -> EvalRun:
    """The run with all that its page names; its specification and the agent's draft are not read.

    Raises `NotFound` without `datasets:view` on its dataset or without `runs:view` (EV-D53).
    """
    if not access.may(actor, Permission.RUNS_VIEW):
        raise NotFound
    seen = Dataset.objects.allowed(actor, Permission.DATASETS_VIEW).order_by().values("pk")
    rows = EvalRun.objects.select_related(*NAMED).defer(*UNREAD)
    found = rows.filter(organisation_id=actor.organisation_id, dataset__in=seen, pk=eval_id).first()
    if found is None:
        raise NotFound
    return found


def evals_of(actor: Actor, dataset: Dataset, wanted: EvalFilter = EVERY_RUN) -> QuerySet[EvalRun]:
    """The runs of a dataset that the actor can see, newest first, without long texts; pages go by `NEWEST_FIRST`.

    An agent that the actor may not see filters nothing out: it is as if there were none. Raises `NotAllowed` without
    `runs:view`.
    """
    access.require(actor, Permission.RUNS_VIEW)
    rows = EvalRun.objects.select_related(*NAMED).defer(*UNREAD, *LONG).filter(dataset=dataset)
    rows = rows.filter(archived_at__isnull=not wanted.archived)
    if wanted.agent:
        seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().values("pk")
        rows = rows.filter(agent=wanted.agent, agent__in=seen)
    if wanted.states:
        rows = rows.filter(state__in=wanted.states)
    label = fold(wanted.label[: LIMITS.search_characters])
    if label:
        rows = rows.filter(label__in=_labels_with(dataset, label))
    return rows.order_by("-created_at", "-id")


def ahead_of(run: EvalRun) -> int:
    """How many queued runs of the organisation are taken up before this one; 0 where it does not wait (EV-D21)."""
    if run.state != EvalState.QUEUED:
        return 0
    earlier = Q(created_at__lt=run.created_at) | Q(created_at=run.created_at, pk__lt=run.pk)
    waiting = EvalRun.objects.filter(organisation_id=run.organisation_id, state=EvalState.QUEUED)
    return waiting.filter(earlier).count()


def _labels_with(dataset: Dataset, folded: str) -> list[str]:
    """The labels that hold the text, accents and case ignored, which neither database does alike."""
    used = EvalRun.objects.filter(dataset=dataset).exclude(label="").order_by().values_list("label", flat=True)
    return [label for label in used.distinct() if folded in fold(label)]
