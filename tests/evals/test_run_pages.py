"""The page of one test run: its figures, cases, tabs, and what each reader may see (EV-D18, EV-D33 to EV-D38, EV-D51)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evals.models import Attempt, EvalItem, EvalRun
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Reason, State, Verdict
from scoring.models import Score
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]
MOST_QUERIES = 25
CHECK = {"type": "contains", "value": "days"}
FAILED_CHECK = EvaluatorResult(
    Evaluator.CHECKS,
    True,
    State.FAIL,
    0.0,
    None,
    (Finding("check-1", Origin.CASE_CHECK, Verdict.FAIL, name="contains", about=CHECK),),
)


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=4, tags=[("returns",), ("returns", "slow")])


@pytest.fixture
def run(scene: EvalScene) -> EvalRun:
    """Against an earlier one: the first case regressed, confirmed; the second passed; the others failed before too."""
    before = scene.run("pass", "pass", "fail", "unscored")
    after = scene.run("fail", "pass", "fail", "unscored", baseline=before)
    item = after.items.order_by("position")[0]
    for _turn in range(2):
        scene.attempt(item, "fail", kind="confirm", cost=Decimal("0.02"))
    Score.objects.filter(attempt__run=after, outcome="fail").update(results=[FAILED_CHECK.as_json()])
    return after


def page(client: Client, run: EvalRun, query: str = "", **headers: str) -> str:
    response = client.get(reverse("eval", args=[run.pk]) + query, headers=headers)
    assert response.status_code == 200
    return text(response)


def rows(shown: str) -> int:
    return shown.count("<tr data-row ")


@pytest.mark.spec("EV-D36", "EV-D35", "EV-D45", "EV-D61", "EV-12")
def test_the_page_opens_on_what_went_worse_with_rate_verdict_and_gate(run: EvalRun, sign_in: SignIn) -> None:
    shown = page(sign_in("builder"), run)
    assert ">33%<" in shown
    assert "(6 to 79%), 1 of 3" in shown
    assert "1 unscored, not in the rate" in shown
    assert "Could be chance" in shown
    assert "1 from pass to fail, 0 from fail to pass</dd>" not in shown
    assert "p = 1.0000" in shown
    assert "Confirmed regressions: 1, allowed: 0" in shown
    assert "Only 4 cases: small differences mean little." in shown
    assert rows(shown) == 1
    assert "Question 0" in shown
    assert "0 of 3 passed" in shown
    assert "Contains a text: days" in shown
