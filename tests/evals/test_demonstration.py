"""The demonstration's test runs: real verdicts on answers that are written down, made once and without the network."""

import pytest

from agents.operations.demonstration import load_agents
from core.limits import LIMITS
from datasets.operations.demonstration import load_demonstration
from evals.logic.classes import count_changes
from evals.models import EvalRun, EvalState
from evals.operations.demonstration import load_test_runs
from evals.queries.results import results_of
from evals.queries.totals import baseline_changes
from scoring.operations.demonstration import load_scores
from tests.cast import Cast


@pytest.mark.spec("PL-50")
@pytest.mark.django_db(transaction=True)
def test_the_demonstration_has_a_trend_and_every_kind_of_change(cast: Cast) -> None:
    actor = cast.actor("owner")
    load_agents(actor)
    load_demonstration(actor)
    load_scores(actor)
    made = load_test_runs(actor)
    runs = list(EvalRun.objects.filter(agent__name="IT helper").order_by("number"))
    assert len(runs) == made >= 5
    assert {run.state for run in runs} == {EvalState.COMPLETED}
    assert [run.finished_at for run in runs] == sorted(run.finished_at for run in runs if run.finished_at)
    newest = runs[-1]
    assert newest.agent_version is not None
    assert (newest.agent_version.number, newest.baseline) == (2, runs[-2])
    results = results_of(newest)
    counts = count_changes((baseline_changes(newest, results) or {}).values())
    assert counts.regressed_confirmed == counts.regressed >= 1
    assert counts.improved_confirmed >= 1
    assert counts.flaky >= 1
    assert results.tally.unscored >= 2
    assert any(item.tags for item in results.items)
    assert len(newest.label) <= LIMITS.eval_label_characters
    assert load_test_runs(actor) == 0
