"""Which earlier run a test run is compared with (EV-D40)."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from agents.models import Agent
from datasets.models import Dataset
from evals.logic.choices import AUTO
from evals.models import EvalItem, EvalRun, EvalState

# So many of the runs that ended last are looked through.
LOOKED_AT = 20


def run_of_dataset(dataset: Dataset, wanted: str) -> EvalRun | None:
    """The run of this dataset with this id, in any state, or None where the dataset has none."""
    return _rows(dataset).filter(pk=UUID(wanted)).first()


def chosen_baseline(dataset: Dataset, agent: Agent, wanted: str | None, pin_hash: str) -> EvalRun | None:
    """The run to compare with: the one named, the automatic one, or none where that was chosen or none is there."""
    if wanted is None:
        return None
    return automatic_baseline(dataset, agent, pin_hash) if wanted == AUTO else run_of_dataset(dataset, wanted)


def shared_cases(baseline: EvalRun, revisions: Mapping[UUID, int]) -> int:
    """How many of these cases, with the revisions that will be asked, the run asked with the same content: no others
    can be compared with it (EV-D41)."""
    asked = EvalItem.objects.filter(run=baseline).values_list("case_id", "revision_id")
    return sum(revisions.get(case_id) == revision_id for case_id, revision_id in asked)


def automatic_baseline(dataset: Dataset, agent: Agent, pin_hash: str) -> EvalRun | None:
    """The one pinned for dataset and agent, else the latest completed of both with an equal judge pin, else the
    latest completed of both (EV-D40). Archived ones are left out (EV-D55).

    Answers that were graded anew are no later for it: such a run stands where the one is that they were given in.
    """
    rows = _rows(dataset).filter(agent=agent, state=EvalState.COMPLETED, archived_at=None)
    latest = rows.order_by("-finished_at", "-id")
    return latest.filter(is_baseline=True).first() or _latest(latest.filter(pin_hash=pin_hash)) or _latest(latest)


def _latest(latest: QuerySet[EvalRun]) -> EvalRun | None:
    """Of the runs that ended last, the one whose answers were given last."""
    return max(latest[:LOOKED_AT], key=_given, default=None)


def _given(run: EvalRun) -> tuple[datetime, datetime, UUID]:
    ended = run.finished_at or run.created_at
    given = run.answers_of.get("ended")
    return (datetime.fromisoformat(given) if given else ended), ended, run.pk


def _rows(dataset: Dataset) -> QuerySet[EvalRun]:
    rows = EvalRun.objects.filter(dataset=dataset)
    return rows.select_related("agent", "agent_version", "snapshot").defer("agent__draft", "agent_version__spec")
