"""What a planned test run will probably cost and take, before anything is spent (EV-17, EV-D9, EV-D10)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Any

from django.conf import settings as configured

from accounts.actor import Actor
from agents.logic.specs import ModelSpec, Spec, spec_of
from agents.logic.usage import Usage
from agents.models import Agent
from datasets.models import Dataset
from evals.logic.choices import EvalChoices
from evals.logic.estimates import AgentUse, CostEstimate, JudgeUse, RunShape, estimated
from evals.logic.left_out import LeftOutCause, left_out_by_cause
from evals.models import Attempt, EvalRun
from evals.queries.baselines import shared_cases
from evals.queries.plans import Plan, plan_of
from scoring.logic.findings import Reason
from scoring.logic.pins import BUILT_IN
from scoring.queries.judges import Judge, NoJudge

MEASURED = 50
# So many of the newest runs are looked through for measured attempts.
RUNS_LOOKED_AT = 5


@dataclass(frozen=True)
class EstimatedJudge:
    """Who will grade: `name` is empty for the built-in judge, `model` what people call its model, empty for none.

    `why_not` says why nobody can grade now, where unscored answers were allowed.
    """

    name: str
    model: str
    is_built_in: bool
    why_not: Reason | None = None


@dataclass(frozen=True)
class Estimate:
    """`cost` has its parts, calls and seconds; `left_out` counts cases by cause.

    `judge` is None where no judge takes part. `measured` counts the earlier attempts it rests on, 0 where the rule of
    thumb holds (EV-D9). `shared` is how many of the cases the baseline asked with the same content, None without one.
    `limit` is the cost limit in USD, None without one.
    """

    cost: CostEstimate
    left_out: Mapping[LeftOutCause, int]
    judge: EstimatedJudge | None
    model: str
    measured: int
    baseline: EvalRun | None
    shared: int | None = None
    limit: Decimal | None = None

    @property
    def stops_after(self) -> int | None:
        """About how many answers the cost limit allows, with all that they bring about; None where it is not below what
        the run will probably cost."""
        expected = self.cost.expected.total.amount
        if self.limit is None or self.limit >= expected:
            return None
        return int(self.limit * self.attempts / expected)

    @property
    def cases(self) -> int:
        return self.cost.cases

    @property
    def attempts(self) -> int:
        return self.cost.attempts

    def as_json(self) -> dict[str, Any]:
        """As a run keeps it (EV-D11); `CostEstimate.of_json` reads the costs back."""
        left_out = {cause.value: count for cause, count in self.left_out.items()}
        return {**self.cost.as_json(), "left_out": left_out, "measured": self.measured}


@dataclass(frozen=True)
class Measured:
    """What the last attempts of an agent on a dataset took; None where none is known."""

    attempts: int = 0
    call: Usage | None = None
    calls: Decimal | None = None
    seconds: float | None = None
    judge_seconds: float | None = None


def estimate_eval(actor: Actor, *, dataset_id: Any, choices: EvalChoices) -> Estimate:
    """What a start with these choices would cost; spends nothing. Raises what `plan_of` raises."""
    return estimate_of(plan_of(actor, dataset_id=dataset_id, choices=choices))


def estimate_of(plan: Plan) -> Estimate:
    """The estimate of a plan; three statements, whatever the number of cases."""
    known = measured(plan.dataset, plan.agent)
    agent = AgentUse(
        model=plan.model or plan.agent.name,
        prices=plan.prices,
        characters=_characters(spec_of(plan.agent.kind, plan.agent_version.spec)),
        has_tools=_has_tools(plan),
        measured=known.call,
        calls=known.calls,
        seconds=known.seconds,
    )
    shape = RunShape(
        repeats=plan.choices.repeats,
        at_once=min(configured.EVAL_CONCURRENCY_PER_RUN, configured.EVAL_CONCURRENCY_PER_ORG),
        confirms=plan.confirms,
        confirm_attempts=configured.EVAL_CONFIRM_ATTEMPTS,
        confirm_most=configured.EVAL_CONFIRM_MAX_CASES,
    )
    cost = estimated([case.size for case in plan.cases], agent, _judge_use(plan, known), shape)
    counts = left_out_by_cause(plan.left_out)
    judge = judge_shown(plan.judge)
    return Estimate(
        cost, counts, judge, agent.model, known.attempts, plan.baseline, _shared(plan), plan.choices.max_cost_usd
    )


def measured(dataset: Dataset, agent: Agent) -> Measured:
    """The medians of the agent's last 50 attempts on the dataset that were answered and whose runs are still there."""
    newest = EvalRun.objects.filter(dataset=dataset, agent=agent, answer_set=None).order_by("-created_at", "-id")
    looked_at = list(newest.values_list("pk", flat=True)[:RUNS_LOOKED_AT])
    rows = Attempt.objects.filter(
        run__in=looked_at, input_tokens__isnull=False, output_tokens__isnull=False, agent_run__step_count__gte=1
    ).order_by("-answered_at", "-id")
    read = rows.values_list(
        "input_tokens", "output_tokens", "agent_run__cached_tokens", "seconds", "score__judge_run__seconds",
        "agent_run__step_count", "agent_run__tool_call_count",
    )  # fmt: skip
    return _measured(list(read[:MEASURED]))


def judge_shown(judge: Judge | NoJudge | None) -> EstimatedJudge | None:
    """The judge as people are told of it; None where none takes part."""
    if judge is None:
        return None
    identity = judge.identity
    why_not = judge.cause.reason if isinstance(judge, NoJudge) else None
    model = identity.model.label if identity.model else ""
    return EstimatedJudge(identity.name, model, identity.kind == BUILT_IN, why_not)


def _shared(plan: Plan) -> int | None:
    if plan.baseline is None:
        return None
    return shared_cases(plan.baseline, {case.case_id: case.revision_id for case in plan.cases})


def _measured(rows: Sequence[tuple[Any, ...]]) -> Measured:
    if not rows:
        return Measured()
    # A run's steps are its calls of the model and of the tools that the model asked for.
    calls = [max(1, row[5] - row[6]) for row in rows]
    read, written, cached = (_median_a_call([row[place] for row in rows], calls) for place in (0, 1, 2))
    seconds = [row[3] for row in rows if row[3] is not None]
    judged = [row[4] for row in rows if row[4] is not None]
    return Measured(
        attempts=len(rows),
        call=Usage(read, min(cached, read), written),
        calls=Decimal(sum(calls)) / len(calls),
        seconds=median(seconds) if seconds else None,
        judge_seconds=median(judged) if judged else None,
    )


def _median_a_call(tokens: Sequence[int | None], calls: Sequence[int]) -> int:
    return round(median((count or 0) / number for count, number in zip(tokens, calls, strict=True)))


def _judge_use(plan: Plan, known: Measured) -> JudgeUse | None:
    """None where no judge takes part, or none can grade, so that none is paid."""
    if not isinstance(plan.judge, Judge):
        return None
    asked = plan.judge.asked
    return JudgeUse(asked.name, asked.prices, known.judge_seconds)


def _has_tools(plan: Plan) -> bool:
    """Whether an answer may take several calls: tools of an endpoint are its own to call."""
    spec = spec_of(plan.agent.kind, plan.agent_version.spec)
    return isinstance(spec, ModelSpec) and bool(spec.tools or spec.knowledge)


def _characters(spec: Spec) -> int:
    """What a model agent reads in each call beside the conversation: instructions, skills and tools."""
    if not isinstance(spec, ModelSpec):
        return 0
    told = len(spec.instructions) + sum(len(skill.name) + len(skill.text) for skill in spec.skills)
    tools = sum(
        len(tool.name) + len(tool.description) + len(json.dumps(tool.parameters, ensure_ascii=False))
        for tool in spec.tools
    )
    return told + tools
