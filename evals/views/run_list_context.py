"""What the list of test runs shows: a page of rows, its filters, the runs at work, the trend of an agent's rates."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from agents.models import Agent
from core.errors import Invalid
from core.paging import Page, keyset_page
from datasets.models import Dataset
from datasets.queries.running import offer_to_run
from datasets.queries.steps import steps_of
from evals.forms.run_list import RunListState
from evals.logic.results import Tally
from evals.logic.trend import Point, Since, Trend, drawn, since
from evals.models import EvalRun, EvalState
from evals.queries.evals import NEWEST_FIRST, EvalFilter, evals_of
from evals.queries.listed_runs import ListedRun, listed_runs, trend_of
from evals.queries.run_agents import agent_with_trend, agents_of_runs, ahead_of_each, as_drawn
from evals.views.run_list_addresses import runs_address


@dataclass(frozen=True)
class Row:
    """One run as one reader sees it: `agent` is None where there is none, or the reader may not see it (ACC-D23)."""

    listed: ListedRun
    agent: Agent | None
    ahead: int | None

    @property
    def run(self) -> EvalRun:
        return self.listed.run


@dataclass(frozen=True)
class TrendRow:
    """One run of the trend, in its table and, where it has a rate, as a point of the plot."""

    run: EvalRun
    tally: Tally
    since: Since | None
    point: Point | None


@dataclass(frozen=True)
class ShownTrend:
    """The rates of one agent: the plot, and the same as rows, the newest first."""

    agent: Agent
    plot: Trend
    rows: Sequence[TrendRow]

    @property
    def points(self) -> list[TrendRow]:
        """In the order of the plot."""
        return [row for row in reversed(self.rows) if row.point]


def list_context(request: Any, dataset: Dataset, state: RunListState) -> dict[str, Any]:
    """For `evals/runs.html`; a dataset without a single run is taught what one is."""
    actor = request.actor
    page = _page(actor, dataset, state)
    agents = agents_of_runs(actor, dataset)
    rows = rows_of(page.rows, agents)
    archived = evals_of(actor, dataset, EvalFilter(archived=True)).exists()
    context = {
        "dataset": dataset,
        "rows": rows,
        "is_bare": not rows and state.filter.is_empty and not state.cursor and not archived,
        "some_archived": archived,
        "live": live_ids(rows),
        "before_href": _beside(dataset, state, "before", page.previous),
        "after_href": _beside(dataset, state, "after", page.next),
    }
    more = _taught(actor, dataset) if context["is_bare"] else trend_context(dataset, agents, state)
    return context | more | {"state": state, "agents": agents, "states": EvalState.choices}


def rows_of(runs: Sequence[EvalRun], agents: Collection[Agent]) -> list[Row]:
    """The runs with their figures, in their order."""
    seen = {agent.pk: agent for agent in agents}
    ahead = ahead_of_each(runs)
    return [
        Row(listed, seen.get(listed.run.agent_id) if listed.run.agent_id else None, ahead.get(listed.run.pk))
        for listed in listed_runs(runs)
    ]


def live_ids(rows: Sequence[Row]) -> list[str]:
    """The runs at work, whose rows are asked for again."""
    return [row.run.id_text for row in rows if not row.run.is_final]


def live_context(actor: Actor, dataset: Dataset, ids: Collection[UUID], state: RunListState) -> dict[str, Any]:
    """The rows that a table waits for, and the trend where one of them has come to its end meanwhile."""
    agents = agents_of_runs(actor, dataset)
    found = evals_of(actor, dataset, EvalFilter(archived=state.filter.archived)).filter(pk__in=ids)
    rows = rows_of(list(found), agents)
    context: dict[str, Any] = {"dataset": dataset, "state": state, "rows": rows, "live": live_ids(rows)}
    some_ended = len(context["live"]) < len(ids)
    return context | (trend_context(dataset, agents, state) if some_ended else {}) | {"some_ended": some_ended}


def trend_context(dataset: Dataset, agents: Sequence[Agent], state: RunListState) -> dict[str, Any]:
    """The rates of the agent of the address, or of the one of several runs that was run last."""
    agent = next((agent for agent in agents if agent.pk == state.trend), None)
    agent = agent or agent_with_trend(dataset, agents)
    return {"dataset": dataset, "state": state, "agents": agents, "trend": _trend(dataset, agent) if agent else None}


def _taught(actor: Actor, dataset: Dataset) -> dict[str, Any]:
    """What comes before the first test run."""
    steps = {step.name: step for step in steps_of(actor, dataset)}
    return {"steps": steps, "running": offer_to_run(actor, dataset)}


def _trend(dataset: Dataset, agent: Agent) -> ShownTrend | None:
    """None where there is nothing to compare with one another."""
    runs = trend_of(dataset, agent)
    if len(runs) < 2:
        return None
    compared = [as_drawn(run, tally) for run, tally in runs]
    plot = drawn(compared)
    points = {point.place: point for point in plot.points}
    rows = [
        TrendRow(run, tally, since(compared[place - 1] if place else None, compared[place]), points.get(place))
        for place, (run, tally) in enumerate(runs)
    ]
    return ShownTrend(agent, plot, rows[::-1])


def _beside(dataset: Dataset, state: RunListState, name: str, cursor: str | None) -> str:
    """The page beside this one, as an address of the dataset's page; empty where there is none."""
    here: dict[str, str | None] = {"after": None, "before": None}
    return runs_address(dataset.pk, state.list_query, **(here | {name: cursor})) if cursor else ""


def _page(actor: Actor, dataset: Dataset, state: RunListState) -> Page[EvalRun]:
    """A cursor of another list, or one that somebody changed, shows the newest."""
    found = evals_of(actor, dataset, state.filter)
    try:
        return keyset_page(found, NEWEST_FIRST, cursor=state.cursor)
    except Invalid:
        return keyset_page(found, NEWEST_FIRST)
