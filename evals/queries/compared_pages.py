"""The cases of two test runs a page at a time, with both answers, as the API gives them (EV-D44)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.actor import Actor
from core.paging import Order
from datasets.queries.seen_cases import SeenCase
from evals.logic.classes import CaseChange, ChangeCounts
from evals.logic.compared_cases import ChangeFilter, ComparedCase, ComparedTag, compared_cases, compared_tags
from evals.logic.configurations import Difference
from evals.models import EvalRun
from evals.queries.comparison import Comparison, compare
from evals.queries.results import results_of
from evals.queries.shown_evals import ShownHead
from evals.queries.shown_items import ShownItem, shown_items, sight_of_run
from evals.queries.totals import RunTotals, totals_of

# The parts of a configuration that name the agent, and those whose values stand in the configuration of each run.
OF_AGENT = ("agent", "agent_version", "model")
WITHOUT_VALUES = ("settings", "pin")
IN_ORDER = [Order("newest__position"), Order("case_id")]


@dataclass(frozen=True)
class ComparedPair:
    """A case in two runs; None for the run that it is not in."""

    compared: ComparedCase
    before: ShownItem | None
    after: ShownItem | None

    @property
    def change(self) -> CaseChange:
        return self.compared.change

    @property
    def case(self) -> SeenCase:
        """As it was asked last."""
        return next(one.case for one in (self.after, self.before) if one is not None)


@dataclass(frozen=True)
class ShownComparedRun(ShownHead):
    """One of the two runs with its totals."""

    totals: RunTotals


@dataclass(frozen=True)
class ShownDifference:
    """`is_open` says whether its values may be shown: those of an agent that is not seen may not."""

    difference: Difference
    is_open: bool


@dataclass(frozen=True)
class ShownComparison:
    """What is said of the two runs above their cases."""

    comparison: Comparison
    before: ShownComparedRun
    after: ShownComparedRun
    tags: Sequence[ComparedTag]

    @property
    def counts(self) -> ChangeCounts:
        return self.comparison.counts

    @property
    def differences(self) -> list[ShownDifference]:
        sees_both = self.before.sees_agent and self.after.sees_agent
        return [
            ShownDifference(one, one.part not in WITHOUT_VALUES and (sees_both or one.part not in OF_AGENT))
            for one in self.comparison.differences
        ]

    @property
    def graded_differently(self) -> list[str]:
        """In which fields the judges differ."""
        return [name for one in self.comparison.differences if one.part == "pin" for name in one.fields]


def shown_comparison(actor: Actor, run: EvalRun, other: EvalRun) -> ShownComparison:
    """`run` against the earlier `other`, both found for the actor; few queries, however large they are."""
    found = compare(run, other)
    before = ShownComparedRun(other, sight_of_run(actor, other).sees_agent, totals_of(found.before))
    after = ShownComparedRun(run, sight_of_run(actor, run).sees_agent, totals_of(found.after))
    return ShownComparison(
        found, before, after, compared_tags(compared_cases(found.before, found.after, found.changes))
    )


def filtered_cases(found: Comparison, wanted: ChangeFilter) -> list[ComparedCase]:
    """The cases that the filter lets through, to be paged by `IN_ORDER`."""
    cases = compared_cases(found.before, found.after, found.changes)
    return sorted(filter(wanted.lets_through, cases), key=lambda one: (one.newest.position, one.case_id))


def shown_pairs(actor: Actor, before: EvalRun, after: EvalRun, page: Sequence[ComparedCase]) -> list[ComparedPair]:
    """The cases of a page with both answers, in their order; ten queries at the most."""
    sides = [
        _shown(actor, before, [one.case_id for one in page if one.before]),
        _shown(actor, after, [one.case_id for one in page if one.after]),
    ]
    pairs = [ComparedPair(one, *(side.get(one.case_id) for side in sides)) for one in page]
    return [pair for pair in pairs if pair.before or pair.after]


def _shown(actor: Actor, run: EvalRun, cases: Sequence[UUID]) -> dict[UUID, ShownItem]:
    items = results_of(run, cases).items if cases else ()
    return {one.item.case_id: one for one in shown_items(actor, run, items, sight_of_run(actor, run))}
