"""What runs answered, as every evaluator reads it (SC-162, SC-163)."""

from collections.abc import Sequence
from uuid import UUID

from activity.logic.answers import Exchange
from activity.models import Message, Run
from activity.queries.answers import answers_of_runs
from scoring.logic.answers import GradedAnswer, MadeCall


def graded_answers_of(runs: Sequence[Run]) -> dict[UUID, GradedAnswer]:
    """The whole answer of each run with its calls; a run without a transcript is left out. One query."""
    found = answers_of_runs(run.pk for run in runs)
    return {run.pk: _graded_answer(run, found[run.pk]) for run in runs if run.pk in found}


def _graded_answer(run: Run, exchange: Exchange[Message]) -> GradedAnswer:
    calls = tuple(MadeCall(call.name, call.arguments, call.outcome) for call in exchange.calls)
    return GradedAnswer(exchange.text, calls, cost=run.cost, seconds=run.seconds)
