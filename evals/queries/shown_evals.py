"""Test runs as one reader may know them: rows of a list, and one whole with progress, totals and configuration."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from evals.logic.estimates import CostEstimate
from evals.logic.evaluator_totals import EvaluatorTotals
from evals.logic.progress import Progress
from evals.logic.results import Sum, Tally
from evals.models import EvalRun, EvalState
from evals.places import DecidedLater
from evals.queries.evals import ahead_of
from evals.queries.listed_runs import ListedRun, listed_runs
from evals.queries.progress import progress_of_run, seconds_left_of
from evals.queries.run_figures import RunFigures, ScoredAgain, decided_since, figures_of, scored_again
from evals.queries.shown_items import sight_of_run
from evals.queries.totals import RunTotals, evaluators_of
from scoring.logic.findings import Reason
from scoring.logic.pins import Pin
from scoring.queries.reason_words import in_words


@dataclass(frozen=True)
class ShownAgent:
    """Who answered; `version` is None where it is gone."""

    id: UUID
    name: str
    version: int | None


@dataclass(frozen=True)
class ShownHead:
    """What is said of a run everywhere; `sees_agent` says whether the reader may know who answered."""

    run: EvalRun
    sees_agent: bool

    @property
    def agent(self) -> ShownAgent | None:
        if self.run.agent is None or not self.sees_agent:
            return None
        version = self.run.agent_version
        return ShownAgent(self.run.agent.pk, self.run.agent.name, version.number if version else None)

    @property
    def seconds(self) -> float | None:
        """From the start of the work to its end."""
        if self.run.started_at is None or self.run.finished_at is None:
            return None
        return max(0.0, (self.run.finished_at - self.run.started_at).total_seconds())


@dataclass(frozen=True)
class ShownRow(ShownHead):
    """A row of the list."""

    listed: ListedRun

    @property
    def cases(self) -> Tally:
        return self.listed.cases

    @property
    def regressed(self) -> int | None:
        """Against its baseline; None without one."""
        return self.listed.regressed if self.run.baseline_id else None

    @property
    def regressed_confirmed(self) -> int | None:
        return self.listed.regressed_confirmed if self.run.baseline_id else None

    @property
    def cost(self) -> Sum:
        return self.listed.cost


@dataclass(frozen=True)
class ShownProgress:
    """How far the pass that is going on is."""

    counted: Progress
    confirming: bool
    seconds_left: float | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.counted, name)


@dataclass(frozen=True)
class ShownTotals:
    """The results of a run that has ended, with what each evaluator made of the answers."""

    figures: RunFigures
    evaluators: Sequence[EvaluatorTotals]
    scored_again: ScoredAgain | None
    decided_later: DecidedLater | None
    sees_agent: bool

    @property
    def totals(self) -> RunTotals:
        return self.figures.totals

    @property
    def counts(self) -> Any:
        return self.figures.counts

    @property
    def tags(self) -> Any:
        return self.figures.tags


@dataclass(frozen=True)
class ShownEval(ShownHead):
    """One run whole; `totals` is None until it has ended."""

    progress: ShownProgress
    totals: ShownTotals | None
    ahead: int

    @property
    def cause(self) -> str | None:
        """Why it ended before its end, in words."""
        return in_words(Reason.of_json(self.run.cause)) or None

    @property
    def estimate(self) -> CostEstimate | None:
        """What was shown before it was started (EV-D11)."""
        return CostEstimate.of_json(self.run.estimate) if self.run.estimate and self.sees_agent else None

    @cached_property
    def configuration(self) -> dict[str, Any]:
        """What it was started with, without what names an agent that the reader may not see (EV-D51)."""
        run, kept = self.run, self.run.kept
        of_agent = {name: kept.get(name) for name in ("agent_version", "model", "spec_hash", "prices")}
        return {
            **(of_agent if self.sees_agent else dict.fromkeys(of_agent)),
            "repeats": run.repeats,
            "confirm_changes": run.confirm_changes,
            "max_cost_usd": run.max_cost,
            "options": {name: value for name, value in run.options.items() if name != "agent" or self.sees_agent},
            "left_out": run.left_out,
            "settings": run.snapshot.settings,
            "judge": Pin.of_json(run.pin),
            "baseline": kept.get("baseline"),
            "release": kept.get("release"),
            "key": kept.get("key"),
        }


def shown_rows(actor: Actor, runs: Sequence[EvalRun]) -> list[ShownRow]:
    """The rows of a page of the list; four queries, whatever their number."""
    ids = {run.agent_id for run in runs if run.agent_id}
    visible = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().filter(pk__in=ids)
    seen = set(visible.values_list("pk", flat=True)) if ids else set()
    return [ShownRow(one.run, one.run.agent_id in seen, one) for one in listed_runs(runs)]


def shown_eval(actor: Actor, run: EvalRun) -> ShownEval:
    """The run, which the actor may see. While it is at work its results are not read: pipelines ask again and again."""
    sees_agent = sight_of_run(actor, run).sees_agent
    counted = progress_of_run(run)
    progress = ShownProgress(counted, run.state == EvalState.CONFIRMING, seconds_left_of(run, counted))
    totals = None
    if run.is_final:
        figures = figures_of(run)
        totals = ShownTotals(figures, evaluators_of(run), scored_again(run), decided_since(figures), sees_agent)
    return ShownEval(run, sees_agent, progress, totals, ahead_of(run))
