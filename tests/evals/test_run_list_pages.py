"""Results → Test runs in the console: the list, its filters, runs at work, the trend of an agent's rates."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from datasets.operations.datasets import create_dataset
from evals.forms.run_list import RunListState
from evals.logic.results import Tally
from evals.models import Attempt, EvalRun, EvalState
from evals.queries.run_agents import as_drawn
from evals.views.run_list_context import rows_of, trend_context
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, 4)


def there(scene: EvalScene, name: str = "evals", query: str = "") -> str:
    return reverse(name, args=[scene.dataset.pk]) + query


@pytest.mark.spec("EV-1", "EV-2", "EV-4", "DS-10", "DS-27")
def test_the_page_of_a_dataset_loads_the_list_and_offers_to_run_evals_in_every_area(
    scene: EvalScene, sign_in: SignIn
) -> None:
    client = sign_in("builder")
    for tab in ("cases", "results", "settings"):
        shown = text(client.get(reverse("dataset", args=[scene.dataset.pk]) + f"?tab={tab}"))
        assert f'href="{there(scene, "evals-start")}"' in shown
        assert ">Run evals<" in shown
    results = text(client.get(reverse("dataset", args=[scene.dataset.pk]) + "?tab=results"))
    assert f'hx-get="{there(scene)}?tab=results"' in results
    scene.add("Another")
    older = text(client.get(reverse("dataset", args=[scene.dataset.pk]) + "?version=1"))
    assert f"{there(scene, 'evals-start')}?dataset_version=1" in older


@pytest.mark.spec("EV-30", "EV-31", "ACC-11", "ACC-12")
@pytest.mark.parametrize(("name", "is_offered"), [("member", True), ("viewer", False)])
def test_who_reads_no_runs_sees_run_evals_disabled_with_the_reason_and_no_list(
    scene: EvalScene, sign_in: SignIn, name: str, is_offered: bool
) -> None:
    scene.run("pass", label="Secret label")
    client = sign_in(name)
    for tab in ("cases", "results"):
        shown = text(client.get(reverse("dataset", args=[scene.dataset.pk]) + f"?tab={tab}"))
        assert (">Run evals<" in shown) is is_offered
        assert ("Reading runs is needed to run evals" in shown) is is_offered
        assert there(scene, "evals-start") not in shown
        assert there(scene) not in shown
        if is_offered:
            assert " disabled" in shown.partition(">Run evals<")[0][-400:]
    assert client.get(there(scene), headers=PART).status_code == 403


def test_without_a_run_the_list_teaches_what_one_is_and_promises_nothing_that_is_missing(
    scene: EvalScene, sign_in: SignIn
) -> None:
    shown = text(sign_in("builder").get(there(scene), headers=PART))
    assert "No test runs yet" in shown
    assert "What it will cost is shown before it starts." in shown
    assert "not part of Casebook" not in shown
    assert "<html" not in shown


@pytest.mark.spec("EV-4")
def test_a_dataset_without_cases_says_that_there_is_none_to_run(cast: Cast, sign_in: SignIn) -> None:
    empty = create_dataset(cast.actor("builder"), name="Empty")
    shown = text(sign_in("builder").get(reverse("dataset", args=[empty.pk]) + "?tab=results"))
    assert "There is no case to run yet." in shown
    assert " disabled" in shown.partition(">Run evals<")[0][-400:]


@pytest.mark.spec("EV-D35", "EV-D36", "EV-D38")
def test_a_row_says_what_the_run_was_and_came_to(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass", "pass", "fail", is_baseline=True)
    run = scene.run("fail", "pass", "unscored", label="Shorter words", baseline=before, with_key=True)
    EvalRun.objects.filter(pk=run.pk).update(
        started_at=run.created_at, finished_at=run.created_at + timedelta(minutes=2)
    )
    Attempt.objects.filter(run=run).update(cost=Decimal("0.25"), answered_at=timezone.now())
    shown = text(sign_in("builder").get(there(scene), headers=PART))
    table = shown.partition('<table class="table eval-table"')[2]
    row = table.partition("Shorter words")[2].partition("</tr>")[0]
    for words in (scene.agent.name, "Completed", "50%", "(9 to 91%), 1 of 2", "$0.75", "2 min 0 s", "By an API key"):
        assert words in row
    assert str(scene.cast.members["builder"]) in row
    assert '<span class="eval-regressed" title="1 of them not confirmed">1</span>' in row
    assert "Baseline" in table.partition("Shorter words")[2].partition("</tr>")[2]


@pytest.mark.spec("EV-D35")
def test_nothing_graded_is_no_result_and_no_run_compared_with_nothing_has_regressions(
    scene: EvalScene, sign_in: SignIn
) -> None:
    scene.run("unscored")
    shown = text(sign_in("builder").get(there(scene), headers=PART))
    assert "No result" in shown
    assert "0%" not in shown
    assert 'title="Compared with nothing">–<' in shown


@pytest.mark.spec("EV-D2", "EV-D55")
def test_the_filters_find_by_agent_state_and_label_and_archived_runs_are_apart(
    cast: Cast, scene: EvalScene, sign_in: SignIn
) -> None:
    other = make_agent(cast, "Other bot")
    scene.run("pass", label="Żółta łódź")
    run = scene.run("pass", label="By another")
    EvalRun.objects.filter(pk=run.pk).update(agent=other)
    scene.run("pass", label="Broken", state=EvalState.FAILED)
    scene.run("pass", label="Put away", archived_at=timezone.now())
    client = sign_in("builder")

    def found(query: str) -> set[str]:
        shown = text(client.get(there(scene, query=query), headers=PART | {"HX-Target": "eval-runs"}))
        table = shown.partition('<table class="table eval-table"')[2]
        return {label for label in ("Żółta łódź", "By another", "Broken", "Put away") if label in table}

    assert found("") == {"Żółta łódź", "By another", "Broken"}
    assert found("?label=zolta+LODZ") == {"Żółta łódź"}
    assert found(f"?agent={other.pk}") == {"By another"}
    assert found("?status=failed") == {"Broken"}
    assert found("?status=nonsense&agent=nonsense&after=made-up") == set()
    assert found("?status=nonsense&after=made-up") == {"Żółta łódź", "By another", "Broken"}
    assert found("?archived=true") == {"Put away"}
    assert "No test run fits the filters." in text(client.get(there(scene, query="?label=none"), headers=PART))
    pushed = client.get(there(scene, query="?status=failed"), headers=PART | {"HX-Target": "eval-runs"})
    assert pushed["HX-Push-Url"].endswith("?status=failed&tab=results&view=runs")


def test_an_agent_that_the_reader_may_not_see_is_in_no_row_and_has_no_trend(scene: EvalScene) -> None:
    runs = [scene.run("pass"), scene.run("fail")]
    assert [row.agent for row in rows_of(runs, [scene.agent])] == [scene.agent] * 2
    assert [row.agent for row in rows_of(runs, [])] == [None] * 2
    assert trend_context(scene.dataset, [], RunListState.of(QueryDict()))["trend"] is None


@pytest.mark.spec("EV-D18", "EV-D21")
def test_runs_at_work_are_asked_for_again_until_they_have_ended(
    scene: EvalScene, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    scene.run("pass")
    scene.run("fail")
    run = scene.run("pass", state=EvalState.RUNNING)
    queued = [scene.run(state=EvalState.QUEUED) for _number in range(3)]
    scene.attempt(scene.item(run, scene.revisions[1]), state="pending", answered_at=None)
    client = sign_in("builder")
    with django_assert_max_num_queries(25):
        shown = text(client.get(there(scene), headers=PART))
    asked = there(scene, "evals-live")
    assert f'hx-get="{asked}?' in shown
    assert "1 of 2 graded" in shown
    assert "1 ahead" in shown
    assert "2 ahead" in shown
    live = text(client.get(f"{asked}?run={run.pk}&run={queued[0].pk}", headers=PART))
    assert live.count("hx-swap-oob") == 10
    assert 'id="eval-trend"' not in live
    assert text(client.get(f"{asked}?run=nonsense", headers=PART)).count("hx-swap-oob") == 1
    EvalRun.objects.filter(pk=run.pk).update(state=EvalState.COMPLETED, finished_at=timezone.now())
    ended = text(client.get(asked + f"?run={run.pk}", headers=PART))
    assert "hx-trigger" not in ended.partition('id="eval-trend"')[0]
    assert "Completed" in ended
    assert 'class="trend-plot"' in ended


@pytest.mark.spec("EV-D36", "EV-38")
def test_the_rates_of_an_agent_are_drawn_and_told_in_a_table(
    cast: Cast, scene: EvalScene, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    other = make_agent(cast, "Other bot")
    first = scene.run("pass", "fail", pin_hash="a")
    scene.run("pass", "pass", pin_hash="b")
    scene.run("pass", "fail", "pass", pin_hash="b", version=2)
    scene.run("pass", state=EvalState.FAILED)
    for outcome in ("pass", "fail"):
        EvalRun.objects.filter(pk=scene.run(outcome, created_at=timezone.now() - timedelta(days=9)).pk).update(
            agent=other
        )
    client = sign_in("builder")
    with django_assert_max_num_queries(25):
        shown = text(client.get(there(scene), headers=PART))
    plot, _end, rest = shown.partition("</svg>")
    assert plot.count("<circle") == 3
    assert plot.count("trend-other") == 1
    assert plot.count("trend-border") == 1
    assert plot.count("trend-line-broken") == 1
    assert f'href="{reverse("eval", args=[first.pk])}" aria-label="Test run 1, ' in plot
    assert "50% (9 to 91%), 1 of 2" in plot
    assert "Graded differently, not comparable" in rest
    assert "Graded alike, other cases" in rest
    chosen = client.get(there(scene, query=f"?trend={other.pk}"), headers=PART | {"HX-Target": "eval-trend"})
    assert "Pass rate of Other bot" in text(chosen)
    assert text(chosen).partition("</svg>")[0].count("<circle") == 2


def test_a_single_run_has_no_trend(scene: EvalScene, sign_in: SignIn) -> None:
    scene.run("pass")
    assert 'class="trend-plot"' not in text(sign_in("builder").get(there(scene), headers=PART))


def test_what_the_choice_of_cases_is_decides_whether_cases_are_the_same(scene: EvalScene) -> None:
    cases = {"tags": ["a"], "case_ids": [], "not_passed_in": None}
    one = as_drawn(scene.run(options=cases), Tally())
    assert as_drawn(scene.run(options=cases | {"label": "Other"}), Tally()).cases == one.cases
    assert as_drawn(scene.run(options=cases | {"tags": ["b"]}), Tally()).cases != one.cases
    assert as_drawn(scene.run(options=cases, repeats=2), Tally()).cases != one.cases
    assert as_drawn(scene.run(options=cases, pin_hash="b"), Tally()).grading != one.grading


def test_a_page_of_many_runs_leads_to_the_next_and_back(
    scene: EvalScene, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    for number in range(52):
        scene.run(label=f"Run number {number}", created_at=timezone.now() - timedelta(days=number))
    client = sign_in("builder")
    with django_assert_max_num_queries(25):
        first = text(client.get(there(scene), headers=PART))
    assert "Run number 49" in first
    assert "Run number 50" not in first.partition("eval-table")[2]
    address = first.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    query = "?" + address.partition("?")[2]
    second = text(client.get(there(scene, query=query), headers=PART))
    assert "Run number 51" in second
    assert 'rel="prev"' in second


@pytest.mark.spec("EV-32")
def test_a_dataset_of_another_organisation_has_no_list(scene: EvalScene, sign_in: SignIn) -> None:
    scene.run("pass")
    for name in ("evals", "evals-live", "evals-start"):
        assert sign_in("stranger").get(there(scene, name), headers=PART).status_code == 404


@pytest.mark.spec("DS-25")
def test_the_third_step_says_how_many_runs_were_completed(scene: EvalScene, sign_in: SignIn) -> None:
    client, page = sign_in("builder"), reverse("dataset", args=[scene.dataset.pk])
    assert "No test run<" in text(client.get(page))
    scene.run("pass")
    scene.run("pass", state=EvalState.FAILED)
    assert "1 test run<" in text(client.get(page))
