"""The list of test runs, its figures, the trend, progress and what waits (EV-D2, EV-D18, EV-D21, EV-D38, EV-D53)."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey
from core.errors import NotAllowed, NotFound
from evals.logic.classes import count_changes
from evals.logic.progress import progress_of
from evals.logic.results import Tally
from evals.models import Attempt, EvalRun
from evals.queries.evals import (
    EvalFilter,
    ahead_of,
    evals_of,
    find_eval,
    listed_runs,
    progress_of_run,
    seconds_left_of,
    trend_of,
)
from evals.queries.results import results_of
from evals.queries.totals import baseline_changes, totals_of
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def listed(scene: EvalScene, who: str = "builder", **wanted: Any) -> list[EvalRun]:
    return list(evals_of(scene.actor(who), scene.dataset, EvalFilter(**wanted)))


# --- Finding


@pytest.mark.spec("EV-D53", "EV-32", "EV-27")
@pytest.mark.parametrize("who", ["stranger", "colleague", "member", "viewer"])
def test_a_run_is_found_only_by_who_sees_its_dataset_and_reads_runs(scene: EvalScene, who: str) -> None:
    run = scene.run("pass")
    with pytest.raises(NotFound):
        find_eval(scene.actor(who), run.pk)
    assert find_eval(scene.actor("operator"), run.pk) == run


@pytest.mark.spec("EV-D53")
def test_a_run_of_a_private_dataset_is_found_by_no_key_that_may_not_see_datasets(scene: EvalScene) -> None:
    key = ApiKey.objects.create(member=scene.cast.owner, prefix="k", key_hash="h", permissions=["runs:view"])
    with pytest.raises(NotFound):
        find_eval(Actor.of_key(key), scene.run("pass").pk)


def test_what_a_page_names_is_read_in_one_statement(
    scene: EvalScene, django_assert_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    run = scene.run("pass", baseline=scene.run("pass"))
    with django_assert_num_queries(1):
        found = find_eval(scene.actor(), run.pk)
        assert found.baseline is not None
        told = (found.dataset.owner.user.name, found.agent, found.snapshot.settings, found.baseline.snapshot.settings)
    assert told[1] == scene.agent


@pytest.mark.spec("EV-D2", "EV-D55")
def test_runs_are_listed_newest_first_without_archived_ones(scene: EvalScene) -> None:
    first, second = scene.run("pass"), scene.run("pass")
    put_away = scene.run("pass", archived_at=timezone.now())
    assert listed(scene) == [second, first]
    assert listed(scene, archived=True) == [put_away]


@pytest.mark.spec("EV-D2")
def test_runs_are_filtered_by_agent_state_and_a_part_of_the_label(scene: EvalScene) -> None:
    night = scene.run("pass", label="Żółta noc")
    other = scene.run("pass", state="failed", label="By hand")
    EvalRun.objects.filter(pk=other.pk).update(agent=make_agent(scene.cast, "Another"))
    other.refresh_from_db()
    assert listed(scene, label="ZOLTA") == [night]
    assert listed(scene, states=["failed", "stopped"]) == [other]
    assert listed(scene, agent=scene.agent.pk) == [night]
    assert listed(scene, agent=uuid4()) == []


def test_an_agent_that_is_not_seen_filters_nothing_out(scene: EvalScene) -> None:
    scene.run("pass")
    scopes = ["runs:view", "datasets:view"]
    key = ApiKey.objects.create(member=scene.cast.builder, prefix="k", key_hash="h", permissions=scopes)
    assert not evals_of(Actor.of_key(key), scene.dataset, EvalFilter(agent=scene.agent.pk)).exists()


@pytest.mark.spec("EV-27", "EV-D53")
def test_the_list_needs_runs_view(scene: EvalScene) -> None:
    with pytest.raises(NotAllowed):
        listed(scene, "member")


# --- Figures


def random_run(scene: EvalScene, random: Random, **fields: Any) -> EvalRun:
    """Up to three first attempts of each case, confirming ones of some, at work, decided and by several judges."""
    run = scene.run(**fields)
    for revision in scene.revisions:
        item = scene.item(run, revision)
        kinds = ["first"] * random.randint(1, 3) + ["confirm"] * random.choice([0, 0, 2])
        for kind in kinds:
            outcome = random.choice(["pass", "fail", "fail", "unscored", ""])
            score = {"decided": random.choice(["", "", "", "pass", "fail"]), "pin_hash": random.choice(["", "", "x"])}
            state = random.choice(["done", "done", "done", "cancelled"]) if outcome else random.choice(
                ["error", "pending", "cancelled"]
            )  # fmt: skip
            cost = random.choice([None, Decimal("0.25")])
            scene.attempt(item, outcome, kind=kind, state=state, cost=cost, score=score)
    return run


@pytest.mark.spec("EV-D38", "EV-D33", "EV-D42", "EV-D46")
def test_the_figures_of_a_list_are_those_of_the_run_itself(cast: Cast) -> None:
    scene, random = EvalScene(cast, cases=25), Random(8)  # noqa: S311 - no secret
    baseline = random_run(scene, random)
    runs = [random_run(scene, random, baseline=baseline) for _turn in range(3)]
    regressed = 0
    for row in listed_runs([baseline, *runs]):
        results = results_of(row.run)
        counts = count_changes((baseline_changes(row.run, results) or {}).values())
        assert row.cases == results.tally
        assert row.cost == totals_of(results).spending.total
        assert (row.regressed_confirmed, row.regressed) == (counts.regressed_confirmed, counts.regressed)
        regressed += counts.regressed_confirmed
    assert regressed > 0


@pytest.mark.spec("EV-D38")
def test_a_page_of_runs_takes_as_many_statements_as_one_run(
    scene: EvalScene, django_assert_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    began = timezone.now()
    runs = [
        scene.run("pass", "fail", started_at=began, finished_at=began + timedelta(seconds=90)) for _turn in range(3)
    ]
    EvalRun.objects.filter(pk=runs[2].pk).update(baseline=runs[0])
    with django_assert_num_queries(4):
        rows = listed_runs(evals_of(scene.actor(), scene.dataset))
    assert [row.seconds for row in rows] == [90, 90, 90]
    assert listed_runs([]) == []


def test_a_run_without_attempts_or_times_has_no_figures(scene: EvalScene) -> None:
    (row,) = listed_runs([scene.run(state="queued")])
    assert (row.cases, row.regressed, row.cost.amount, row.seconds) == (Tally(), 0, 0, None)


@pytest.mark.spec("EV-D38")
def test_the_trend_is_of_completed_runs_of_one_agent_oldest_first(scene: EvalScene) -> None:
    first, second = scene.run("pass", "fail"), scene.run("pass", "pass")
    scene.run("pass", state="stopped")
    scene.run("pass", archived_at=timezone.now())
    assert trend_of(scene.dataset, scene.agent) == [(first, Tally(1, 1)), (second, Tally(2))]
    assert trend_of(scene.dataset, make_agent(scene.cast, "Another")) == []


# --- Progress


@pytest.mark.spec("EV-D18")
def test_progress_counts_what_the_attempts_themselves_say(
    cast: Cast, django_assert_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    scene = EvalScene(cast, cases=20)
    run = random_run(scene, Random(3), state="running")  # noqa: S311 - no secret
    for attempt in Attempt.objects.filter(run=run)[:3]:
        Attempt.objects.filter(pk=attempt.pk).update(state="answering", agent_run=make_run(scene.agent))
    with django_assert_num_queries(1):
        first = progress_of_run(run)
    attempts = results_of(run).attempts
    assert first == progress_of(attempts)
    assert progress_of_run(run, confirming=True) == progress_of(attempts, confirming=True)
    run.state = "confirming"
    assert progress_of_run(run) == progress_of(attempts, confirming=True)


@pytest.mark.spec("EV-D18")
def test_the_time_left_goes_by_the_last_attempts(scene: EvalScene) -> None:
    run = scene.run(state="running")
    now = timezone.now()
    for place, revision in enumerate(scene.revisions):
        scene.attempt(scene.item(run, revision), "pass", done_at=now - timedelta(seconds=20 - 10 * place))
    scene.attempt(run.items.get(case_id=scene.revisions[0].case_id), state="pending")
    assert seconds_left_of(run, progress_of_run(run)) == pytest.approx(10, abs=1)
    run.state = "completed"
    assert seconds_left_of(run, progress_of_run(run)) is None


@pytest.mark.spec("EV-D21")
def test_a_queued_run_says_how_many_are_ahead(scene: EvalScene) -> None:
    scene.run(state="running")
    first, second, third = (scene.run(state="queued") for _turn in range(3))
    assert [ahead_of(run) for run in (first, second, third)] == [0, 1, 2]
    assert ahead_of(scene.run("pass")) == 0
