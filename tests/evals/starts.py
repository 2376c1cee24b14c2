"""A dataset with cases and an agent that could answer them, to plan and start test runs of."""

from decimal import Decimal
from typing import Any

from django.utils import timezone

from accounts.actor import Actor
from agents.models import Agent, AgentVersion, Connection, LanguageModel
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from datasets.queries.seen_cases import content_of
from evals.logic.choices import EvalChoices
from evals.models import Attempt, EvalItem, EvalRun, EvalState
from evals.operations.start import start_eval
from evals.queries.plans import Plan, plan_of
from scoring.models import GradingSettings, Score
from tests.cast import Cast
from tests.scoring.judges import RUBRIC

CHECKS = ({"type": "contains", "value": "days"},)


class StartScene:
    """A dataset of the Builder's with some cases, and a published model agent of the Owner's."""

    def __init__(self, cast: Cast, cases: int = 2) -> None:
        self.cast = cast
        self.dataset: Dataset = create_dataset(cast.actor("builder"), name="Returns")
        self.revisions: list[CaseRevision] = [self.add(f"Question {number}") for number in range(cases)]
        self.model = make_model(cast)
        self.agent = make_model_agent(cast, self.model)

    def add(self, question: str = "Can I return it?", **fields: Any) -> CaseRevision:
        draft = CaseDraft(input=question, **({"checks": CHECKS} | fields))
        return add_case(self.cast.actor("builder"), dataset_id=self.dataset.pk, draft=draft).revision

    def set(self, **changes: Any) -> None:
        """Grading settings that hold from now on."""
        kept: Any = {"settings": changes, "revision": 1}
        GradingSettings.objects.update_or_create(dataset=self.dataset, defaults=kept)

    def judge_by(self, model: LanguageModel | None, **judge: Any) -> None:
        chosen = {"enabled": True, "criteria": RUBRIC, "model": str(model.pk) if model else None, **judge}
        self.set(judge=chosen)

    def choices(self, **fields: Any) -> EvalChoices:
        return EvalChoices(**({"agent": str(self.agent.pk)} | fields))

    def plan(self, who: str = "builder", *, actor: Actor | None = None, **fields: Any) -> Plan:
        return plan_of(actor or self.actor(who), dataset_id=self.dataset.pk, choices=self.choices(**fields))

    def start(
        self, who: str = "builder", *, key: str | None = None, actor: Actor | None = None, **fields: Any
    ) -> EvalRun:
        return start_eval(
            actor or self.actor(who), dataset_id=self.dataset.pk, choices=self.choices(**fields), idempotency_key=key
        )

    @property
    def dataset_version(self) -> int:
        self.dataset.refresh_from_db()
        return self.dataset.newest_version

    def content(self, revision_id: int) -> CaseDraft:
        return content_of(CaseRevision.objects.get(pk=revision_id))

    def ended(self, *outcomes: str, state: str = EvalState.COMPLETED, **fields: Any) -> EvalRun:
        """A run that has ended, with one attempt of each case: `pass`, `fail`, `unscored` or `error`."""
        run = self.start(baseline=None)
        items = EvalItem.objects.filter(run=run).order_by("position")
        for item, outcome in zip(items, outcomes, strict=False):
            self.finish(item.attempts.get(), outcome)
        EvalRun.objects.filter(pk=run.pk).update(**({"state": state, "finished_at": timezone.now()} | fields))
        run.refresh_from_db()
        return run

    def finish(self, attempt: Attempt, outcome: str, **fields: Any) -> None:
        """The attempt as it is once it was worked on."""
        ended: dict[str, Any] = {"state": "error" if outcome == "error" else "done", "done_at": timezone.now()}
        if outcome != "error":
            ended |= {"answered_at": timezone.now(), "score": self.score(attempt, outcome)}
        Attempt.objects.filter(pk=attempt.pk).update(**(ended | fields))

    def score(self, attempt: Attempt, outcome: str, **fields: Any) -> Score:
        return Score.objects.create(
            organisation=self.cast.kettle, dataset=self.dataset, case_id=attempt.item.case_id,
            version=attempt.run.version, snapshot=attempt.run.snapshot, origin="eval", agent=self.agent,
            is_pinned=True, **({"state": "done", "outcome": outcome} | fields),
        )  # fmt: skip

    def actor(self, who: str) -> Actor:
        return self.cast.actor(who)


def make_model(cast: Cast, **fields: Any) -> LanguageModel:
    """A model that costs 1 and 4 USD per million tokens, at an address that nobody calls."""
    connection = Connection(organisation=cast.kettle, name="Fake", provider="compatible", base_url="http://127.0.0.1:9")
    connection.set_key("key-8374598237")
    connection.save()
    given = {"name": "small-1", "label": "Small", "input_price": Decimal(1), "output_price": Decimal(4)}
    return LanguageModel.objects.create(connection=connection, **(given | fields))


def make_model_agent(cast: Cast, model: LanguageModel, **spec: Any) -> Agent:
    """One that Casebook runs, with a published version."""
    agent = Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Support", kind="model", newest_version=1,
        visibility="organisation",
    )  # fmt: skip
    publish(agent, 1, model, **spec)
    return agent


def publish(agent: Agent, number: int, model: LanguageModel, **spec: Any) -> AgentVersion:
    Agent.objects.filter(pk=agent.pk).update(newest_version=number)
    given: Any = {"instructions": "Answer briefly.", "model": str(model.pk)} | spec
    return AgentVersion.objects.create(agent=agent, number=number, spec=given)
