"""Runs that are scored against cases: the rows for it, and grading what waits as a worker does."""

from typing import Any
from uuid import UUID

from accounts.actor import Actor
from accounts.models import Person
from activity.models import Run
from agents.models import Agent, LanguageModel
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.models import GradingSettings, Score
from scoring.operations.grading import grade_scores
from scoring.operations.scores import score_run
from scoring.queries.readable_scores import ReadableScore, readable_score
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast
from tests.scoring.judges import RUBRIC

CHECK = {"type": "contains", "value": "30 days"}
CASE = CaseDraft(input="Can I return my kettle?", checks=(CHECK,), tags=("returns",))
ANSWER = "You can return it within 30 days of delivery."


class Scene:
    """A dataset of the Builder's with one case, an agent, and runs that are scored by somebody."""

    def __init__(self, cast: Cast, case: CaseDraft = CASE, **agent: Any) -> None:
        self.cast = cast
        self.dataset: Dataset = create_dataset(cast.actor("builder"), name="Returns")
        self.case_id = self.add(case)
        self.agent: Agent = make_agent(cast, **agent)

    def add(self, case: CaseDraft) -> UUID:
        return add_case(self.cast.actor("builder"), dataset_id=self.dataset.pk, draft=case).revision.case_id

    def run(self, answer: str = ANSWER, **fields: Any) -> Run:
        return make_run(self.agent, CASE.input, answer, **fields)

    def score(self, answer: str = ANSWER, *, who: str = "builder", case_id: UUID | None = None, **fields: Any) -> Score:
        """A run with this answer, laid down to be graded."""
        return self.score_of(self.run(answer, **fields), who=who, case_id=case_id)

    def score_of(self, run: Run, *, who: str = "builder", case_id: UUID | None = None) -> Score:
        return score_run(
            self.cast.actor(who), dataset_id=self.dataset.pk, run_id=run.pk, case_id=case_id or self.case_id
        )

    def graded(self, answer: str = ANSWER, **given: Any) -> Score:
        """The same, graded."""
        return grade(self.score(answer, **given))

    def set(self, **changes: Any) -> None:
        """Grading settings that hold from now on."""
        kept: Any = {"settings": changes, "revision": 1}
        GradingSettings.objects.update_or_create(dataset=self.dataset, defaults=kept)

    def judge_by(self, model: LanguageModel | None, **judge: Any) -> None:
        """Have the rubric of two criteria graded by this model."""
        chosen = {"enabled": True, "criteria": RUBRIC, "model": str(model.pk) if model else None, **judge}
        self.set(judge=chosen)

    def seen(self, score: Score, who: str) -> ReadableScore:
        return readable_score(self.cast.actor(who), Score.objects.get(pk=score.pk))

    def actor(self, who: str) -> Actor:
        return self.cast.actor(who)


def grade(score: Score) -> Score:
    """What a worker does with a score that waits."""
    assert grade_scores([score.pk]) == []
    score.refresh_from_db()
    return score


def make_customer(cast: Cast, external_id: str = "customer-1") -> Person:
    return Person.objects.create(organisation=cast.kettle, external_id=external_id)


def verdicts_of(score: Score) -> dict[str, str]:
    """The verdict of each finding, by its id."""
    return {finding["id"]: finding["verdict"] for result in score.results for finding in result["findings"]}


def states_of(score: Score) -> dict[str, str]:
    """The state of each evaluator that was on."""
    return {result["evaluator"]: result["state"] for result in score.results}
