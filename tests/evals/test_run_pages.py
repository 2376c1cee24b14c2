"""The page of one test run: its figures, cases, tabs, progress, and what each reader may see (EV-D18 to EV-D53)."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agents.models import Agent
from evals.models import Attempt, EvalItem, EvalRun
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Reason, State, Verdict
from scoring.models import Score
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]
MOST_QUERIES = 25
CHECK = {"type": "contains", "value": "days"}
FINDING = Finding("check-1", Origin.CASE_CHECK, Verdict.FAIL, name="contains", about=CHECK)
POLITE = Finding("c-1", Origin.CRITERION, Verdict.PASS, name="Is polite", grade=4)
FAILED = [
    EvaluatorResult(Evaluator.CHECKS, True, State.FAIL, 0.0, None, (FINDING,)).as_json(),
    EvaluatorResult(Evaluator.JUDGE, True, State.PASS, 0.75, None, (POLITE,)).as_json(),
]
BOX = '<span class="pill-text">{}</span>'


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=4, tags=[("returns",), ("returns", "slow")])


@pytest.fixture
def run(scene: EvalScene) -> EvalRun:
    """Against an earlier one: the first case regressed, confirmed; the second passed; the others are as before."""
    before = scene.run("pass", "pass", "fail", "unscored")
    after = scene.run("fail", "pass", "fail", "unscored", baseline=before, finished_at=timezone.now())
    item = after.items.order_by("position")[0]
    for _turn in range(2):
        scene.attempt(item, "fail", kind="confirm", cost=Decimal("0.02"), model="small-1")
    Score.objects.filter(attempt__run=after, outcome="fail").update(results=FAILED, answer="We take nothing back.")
    return after


def page(client: Client, run: EvalRun, query: str = "", **headers: str) -> str:
    response = client.get(reverse("eval", args=[run.pk]) + query, headers=headers)
    assert response.status_code == 200
    return text(response)


def panel(client: Client, item: EvalItem, query: str = "") -> str:
    response = client.get(reverse("eval-item", args=[item.run_id, item.pk]) + query, headers=PANEL)
    assert response.status_code == 200
    return text(response)


def rows(shown: str) -> int:
    return shown.count("<tr data-row")


@pytest.mark.spec("EV-D36", "EV-D35", "EV-D45", "EV-D61", "EV-5")
def test_the_page_opens_on_what_went_worse_with_rate_verdict_and_gate(run: EvalRun, sign_in: SignIn) -> None:
    shown = page(sign_in("builder"), run)
    assert ">33%<" in shown
    assert "(6 to 79%), 1 of 3" in shown
    assert "1 unscored, not in the rate" in shown
    assert "Could be chance" in shown
    assert "1 from pass to fail, 0 from fail to pass" in shown
    assert "p = 1.0000" in shown
    assert "Confirmed regressions: 1, allowed: 0" in shown
    assert "Only 4 cases: small differences mean little." in shown
    assert rows(shown) == 1
    assert "Question 0" in shown
    assert "0 of 3 passed" in shown
    assert "Contains a text: days" in shown
    assert f"view=review&amp;eval_run={run.pk}" in shown or f"eval_run={run.pk}" in shown


@pytest.mark.spec("EV-D61", "EV-D40")
def test_a_run_in_which_nothing_was_compared_says_so_beside_its_gate(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast, cases=2)
    run = scene.run(baseline=scene.run("pass"), label="Nightly")
    scene.attempt(scene.item(run, scene.revisions[1]), "pass")
    shown = page(sign_in("builder"), run)
    assert shown.count("Nothing was compared") == 2
    assert "Could be chance" not in shown
    assert "Test run 2 · Nightly" in shown


@pytest.mark.spec("EV-D2", "EV-12")
def test_its_cases_are_filtered_by_result_change_and_tag(run: EvalRun, sign_in: SignIn) -> None:
    client = sign_in("builder")
    assert rows(page(client, run, "?show=all")) == 4
    assert rows(page(client, run, "?result=fail")) == 2
    assert rows(page(client, run, "?change=unchanged")) == 2
    assert rows(page(client, run, "?change=unchanged&tag=SLOW")) == 1
    assert rows(page(client, run, "?tag=,")) == 2
    assert "No case of this run fits the filters." in page(client, run, "?change=improved")
    assert rows(page(client, run, "?result=nonsense&change=&after=made.up.x")) == 4
    part = page(client, run, "?result=pass", **(PART | {"HX-Target": "cases"}))
    assert part.lstrip().startswith('<div id="cases"')


def test_its_cases_are_read_a_page_at_a_time(scene: EvalScene, sign_in: SignIn) -> None:
    for number in range(4, 53):
        scene.add(f"Question {number}")
    run = scene.run(*["fail"] * 53)
    client = sign_in("builder")
    first = page(client, run)
    assert rows(first) == 50
    assert "1–50 of 53" in first
    address = first.split('rel="next"')[0].rsplit('href="', 1)[1].split('"')[0].replace("&amp;", "&")
    second = text(client.get(address))
    assert rows(second) == 3
    assert "51–53 of 53" in second


@pytest.mark.spec("EV-D37")
def test_tags_are_told_apart_and_the_untagged_are_a_row(run: EvalRun, sign_in: SignIn) -> None:
    shown = page(sign_in("builder"), run, "?tab=tags")
    assert rows(shown) == 3
    assert "?tag=returns" in shown
    assert "Untagged" in shown
    assert "some differ by chance" in shown


@pytest.mark.spec("EV-6", "EV-D38")
def test_each_evaluator_and_criterion_has_its_counts(run: EvalRun, sign_in: SignIn) -> None:
    shown = page(sign_in("builder"), run, "?tab=evaluators")
    for words in ("Checks", "Your criteria", "Is polite", "0.75", "4.00"):
        assert words in shown


@pytest.mark.spec("EV-D11", "EV-D38", "EV-D10")
def test_the_estimate_stands_beside_what_it_cost(run: EvalRun, sign_in: SignIn) -> None:
    known = {"amount": "1.5", "unpriced": []}
    part = {"agent": known, "judge": {"amount": None, "unpriced": ["judge-1"]}, "confirming": known}
    part |= {"calls": 4, "seconds": 75.0}
    run.estimate = {"cases": 4, "attempts": 4, "expected": part, "highest": part}
    run.save()
    shown = page(sign_in("builder"), run, "?tab=cost")
    for words in ("$1.50", "unknown: the price of judge-1 is missing", "at least $0.04", "1 min 15 s"):
        assert words in shown


@pytest.mark.spec("EV-D45")
def test_a_p_too_small_for_four_places_is_never_shown_as_nothing(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast, cases=16)
    run = scene.run(*["fail"] * 16, baseline=scene.run(*["pass"] * 16), finished_at=timezone.now())
    assert "p &lt; 0.0001" in page(sign_in("builder"), run)


@pytest.mark.spec("EV-D51", "EV-20", "EV-D6")
def test_the_configuration_names_what_was_left_out_and_why(run: EvalRun, sign_in: SignIn) -> None:
    case = str(run.items.order_by("position")[0].case_id)
    run.left_out = [{"case": case, "cause": "anonymised"}]
    prices = {"agent": {"input": "2.500000", "cached": None, "output": "0.075000"}, "judge": None}
    run.kept = {"model": "small-1", "spec_hash": "f" * 64, "release": "9.9.9", "prices": prices}
    run.save()
    shown = page(sign_in("builder"), run, "?tab=configuration")
    for words in ("Anonymised after erasure", case, "small-1", "f" * 12, "9.9.9", "No judge takes part."):
        assert words in shown
    assert "$2.50 read and $0.075 written" in shown


@pytest.mark.spec("EV-D18", "EV-D21")
def test_a_run_at_work_shows_how_far_it_is_and_asks_every_two_seconds(scene: EvalScene, sign_in: SignIn) -> None:
    scene.run(state="queued")
    run = scene.run("pass", state="running", max_cost=Decimal(2))
    waiting = scene.run(state="queued")
    scene.attempt(scene.item(run, scene.revisions[1]), state="answering", answered_at=None)
    Attempt.objects.filter(state="done").update(done_at=timezone.now(), cost=Decimal("0.5"), seconds=2.5)
    client = sign_in("builder")
    shown = page(client, run)
    assert f'hx-get="/evals/{run.pk}/progress/?state=running" hx-trigger="every 2s"' in shown
    for words in ("1 of 2", "$0.50", "of $2.00", "Question 0", "Finished last"):
        assert words in shown
    assert "1 other run is ahead of this one." in page(client, waiting)


@pytest.mark.spec("EV-D18")
def test_its_part_stops_asking_and_loads_the_page_once_the_state_is_another(scene: EvalScene, sign_in: SignIn) -> None:
    run = scene.run("pass", state="completed")
    response = sign_in("builder").get(reverse("eval-progress", args=[run.pk]), {"state": "running"}, headers=PART)
    assert "every 2s" not in text(response)
    assert f'hx-get="/evals/{run.pk}/" hx-trigger="load" hx-target="#content"' in text(response)
    assert "The test run has ended: Completed." in response["HX-Trigger"]


@pytest.mark.spec("EV-D26", "EV-D20")
def test_a_run_that_ended_early_says_how_far_it_came_and_why(scene: EvalScene, sign_in: SignIn) -> None:
    client = sign_in("builder")
    cancelled = scene.run("pass", state="cancelled")
    scene.attempt(scene.item(cancelled, scene.revisions[1]), state="cancelled", answered_at=None)
    assert "Cancelled, 1 of 2" in page(client, cancelled)
    why = Reason("The first %(count)d answers failed", {"count": 10}).as_json()
    shown = page(client, scene.run("fail", state="failed", cause=why))
    assert "Failed, 1 of 1" in shown
    assert "The first 10 answers failed" in shown


@pytest.mark.spec("EV-D52", "EV-D34", "EV-D49", "RV-D33", "EV-D43")
def test_notices_say_what_the_numbers_do_not(run: EvalRun, scene: EvalScene, sign_in: SignIn) -> None:
    run.review = {"regressions": 2, "judge_errors": 1, "sent": 2, "not_sent": [{"score": "x", "cause": "outranked"}]}
    run.finished_at = timezone.now() - timedelta(hours=3)
    run.save()
    Attempt.objects.filter(run=run, number=1).update(model="small-1-mini")
    regressed = Score.objects.filter(attempt__run=run, outcome="fail", attempt__number=1).order_by("attempt__item")
    Score.objects.filter(pk=regressed[0].pk).update(graded_at=timezone.now() - timedelta(hours=1), decided="pass")
    Score.objects.filter(pk=regressed[1].pk).update(pin_hash="b" * 64)
    shown = page(sign_in("builder"), run)
    for words in (
        "small-1, small-1-mini",
        "1 answer was scored again since",
        "2 answers were sent to review.",
        "1 did not get the place: outranked",
        "1 case decided by a person",
        "The judges of the two runs differ for 1 case.",
    ):
        assert words in shown


@pytest.mark.spec("EV-6", "EV-D44")
def test_a_case_shows_its_attempts_with_answer_and_findings(run: EvalRun, sign_in: SignIn) -> None:
    client, item = sign_in("builder"), run.items.order_by("position")[0]
    shown = panel(client, item)
    for words in ("We take nothing back.", "Attempt 2, confirming", "Regressed", "Contains a text", "Is polite"):
        assert words in shown
    assert 'attempt=1" hx-get="' in shown
    chosen = panel(client, item, "?attempt=3")
    assert chosen.count('aria-current="true"') == 1
    assert "Question 0" in text(client.get(reverse("eval-item", args=[run.pk, item.pk])))


@pytest.mark.spec("EV-D19")
def test_an_answer_that_did_not_come_says_why(scene: EvalScene, sign_in: SignIn) -> None:
    run = scene.run()
    why = Reason("The provider refused: %(status)d", {"status": 401}).as_json()
    item = scene.item(run, scene.revisions[0])
    scene.attempt(item, state="error", error=why, answered_at=None)
    client = sign_in("builder")
    assert "Not answered: The provider refused: 401" in page(client, run, "?show=all")
    assert "<p>The provider refused: 401</p>" in panel(client, item)


@pytest.mark.spec("EV-23", "EV-D53", "RV-74", "RV-75", "RV-77")
def test_who_may_not_read_of_the_agent_sees_outcomes_and_no_words_of_it(
    run: EvalRun, scene: EvalScene, sign_in: SignIn
) -> None:
    Agent.objects.filter(pk=scene.agent.pk).delete()
    client, item = sign_in("operator"), run.items.order_by("position")[0]
    shown = page(client, run)
    assert BOX.format("Failed") in shown
    assert "Deleted agent" in shown
    assert "Contains a text" not in shown
    hidden = panel(client, item)
    assert "We take nothing back." not in hidden
    assert "Is polite" not in hidden
    assert BOX.format("Regressed") in hidden
    assert "We take nothing back." in panel(sign_in("owner"), item)


@pytest.mark.parametrize("query", ["", "?show=all", "?tab=tags", "?tab=evaluators", "?tab=cost", "?tab=configuration"])
def test_a_page_asks_the_database_a_bounded_number_of_times(
    query: str, run: EvalRun, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    client = sign_in("builder")
    with django_assert_max_num_queries(MOST_QUERIES):
        page(client, run, query)


def test_panel_and_progress_ask_the_database_a_bounded_number_of_times(
    run: EvalRun, scene: EvalScene, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    client, running = sign_in("builder"), scene.run("pass", "fail", state="running")
    Attempt.objects.filter(run=running).update(done_at=timezone.now())
    with django_assert_max_num_queries(MOST_QUERIES):
        panel(client, run.items.order_by("position")[0])
    with django_assert_max_num_queries(16):
        client.get(reverse("eval-progress", args=[running.pk]), {"state": "running"}, headers=PART)
