"""Test runs that are laid down as rows, without being worked on."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.actor import Actor
from agents.models import Agent
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from evals.models import Attempt, EvalItem, EvalRun, EvalState
from scoring.models import Score
from scoring.operations.settings import snapshot_of
from tests.activity.rows import make_agent
from tests.cast import Cast


class EvalScene:
    """A dataset of the Builder's with some cases, an agent, and runs of it whose outcomes are given."""

    def __init__(self, cast: Cast, cases: int = 3, tags: Sequence[Sequence[str]] = ()) -> None:
        self.cast = cast
        self.dataset: Dataset = create_dataset(cast.actor("builder"), name="Returns")
        self.revisions: list[CaseRevision] = []
        for number in range(cases):
            self.add(f"Question {number}", tags[number] if number < len(tags) else ())
        self.agent: Agent = make_agent(cast)
        self.snapshot = snapshot_of(self.dataset)

    def add(self, question: str, tags: Sequence[str] = ()) -> CaseRevision:
        draft = CaseDraft(input=question, checks=({"type": "contains", "value": "days"},), tags=tuple(tags))
        revision = add_case(self.cast.actor("builder"), dataset_id=self.dataset.pk, draft=draft).revision
        self.revisions.append(revision)
        return revision

    def run(self, *outcomes: str, state: str = EvalState.COMPLETED, **fields: Any) -> EvalRun:
        """A run over the first cases, one finished attempt of each with this outcome."""
        number = EvalRun.objects.filter(dataset=self.dataset).count() + 1
        run = EvalRun.objects.create(
            organisation=self.cast.kettle, dataset=self.dataset, number=number, agent=self.agent,
            snapshot=self.snapshot, started_by=self.cast.members["builder"], state=state, **({"version": 1} | fields),
        )  # fmt: skip
        for revision, outcome in zip(self.revisions, outcomes, strict=False):
            self.attempt(self.item(run, revision), outcome)
        return run

    def item(self, run: EvalRun, revision: CaseRevision) -> EvalItem:
        return EvalItem.objects.create(
            run=run, case_id=revision.case_id, revision=revision, position=EvalItem.objects.filter(run=run).count(),
            tags=list(revision.tags),
        )  # fmt: skip

    def attempt(
        self, item: EvalItem, outcome: str = "", *, score: dict[str, Any] | None = None, **fields: Any
    ) -> Attempt:
        """A finished attempt with a graded score, or one without a score where no outcome is given."""
        number = Attempt.objects.filter(item=item).count() + 1
        given = {"number": number, "state": "done", "answered_at": timezone.now()} | fields
        kept = self.score(item.case_id, outcome, **(score or {})) if outcome else None
        return Attempt.objects.create(run=item.run, item=item, score=kept, **given)

    def score(self, case_id: UUID, outcome: str, **fields: Any) -> Score:
        return Score.objects.create(
            organisation=self.cast.kettle, dataset=self.dataset, case_id=case_id, version=1, snapshot=self.snapshot,
            origin="eval", agent=self.agent, is_pinned=True, state="done", outcome=outcome, **fields,
        )  # fmt: skip

    def actor(self, who: str = "builder") -> Actor:
        return self.cast.actor(who)
