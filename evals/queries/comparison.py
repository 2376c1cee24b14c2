"""What became of the cases of a test run since the one that it is compared with (EV-D39 to EV-D46)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from evals.logic.classes import CaseChange, ChangeCounts, count_changes
from evals.logic.configurations import Configuration, Difference, differing
from evals.logic.outlines import RunOutline, changes_of_outlines
from evals.logic.statistics import mcnemar, verdict_on
from evals.models import EvalRun
from evals.queries.outlines import outline_of
from scoring.logic.pins import Pin


@dataclass(frozen=True)
class Comparison:
    """`before` is the run compared with. `changes` are by case: those of the newer run in their order, then removed."""

    before: RunOutline
    after: RunOutline
    changes: Mapping[UUID, CaseChange]
    differences: tuple[Difference, ...]

    @cached_property
    def counts(self) -> ChangeCounts:
        return count_changes(self.changes.values())

    @property
    def p(self) -> float:
        """Of the exact test over what was first seen (EV-D45)."""
        return mcnemar(self.counts.b, self.counts.c)

    @property
    def verdict(self) -> str:
        """The words of EV-D45, to be translated."""
        return verdict_on(self.counts.b, self.counts.c, self.counts.compared)


def compare(run: EvalRun, other: EvalRun, after: RunOutline | None = None) -> Comparison:
    """`run` against the earlier `other` of the same dataset; `after` is its outline where they were read already.

    Asks nobody's permission: both runs were found for the reader before.
    """
    before, after = outline_of(other), after or outline_of(run)
    differences = differing(configuration_of(other), configuration_of(run))
    return Comparison(before, after, changes_of_outlines(before, after), differences)


def configuration_of(run: EvalRun) -> Configuration:
    """What the run was started with, as far as it is compared."""
    return Configuration(
        agent=str(run.agent_id) if run.agent_id else None,
        agent_version=run.agent_version.number if run.agent_version else None,
        model=run.kept.get("model") or "",
        dataset_version=run.version,
        settings=run.snapshot.settings,
        pin=Pin.of_json(run.pin),
        answers=str(run.answer_set_id) if run.answer_set_id else None,
    )
