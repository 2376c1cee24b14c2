"""A test run that has ended, as tests of the whole API and of access walk over it."""

from accounts.models import Member
from agents.models import Agent
from datasets.models import CaseRevision, Dataset
from evals.models import Attempt, EvalItem, EvalRun, EvalState
from scoring.models import Score, ScoreOrigin
from scoring.operations.settings import snapshot_of


def ended_run(dataset: Dataset, agent: Agent | None, member: Member, *, outcome: str = "pass") -> EvalRun:
    """Over the newest revision of each case, one answer each."""
    snapshot = snapshot_of(dataset)
    run = EvalRun.objects.create(
        organisation_id=dataset.organisation_id, dataset=dataset, version=dataset.newest_version, agent=agent,
        number=EvalRun.objects.filter(dataset=dataset).count() + 1, snapshot=snapshot, started_by=member,
        state=EvalState.COMPLETED,
    )  # fmt: skip
    for revision in CaseRevision.objects.newest(dataset):
        score = Score.objects.create(
            organisation_id=dataset.organisation_id, dataset=dataset, case_id=revision.case_id, version=run.version,
            snapshot=snapshot, origin=ScoreOrigin.EVAL, agent=agent, is_pinned=True, state="done", outcome=outcome,
            answer="On its way.",
        )  # fmt: skip
        item = EvalItem.objects.create(
            run=run, case_id=revision.case_id, revision=revision, position=revision.position, tags=list(revision.tags)
        )
        Attempt.objects.create(run=run, item=item, number=1, state="done", score=score)
    return run
