"""Whether a judge is calibrated stands wherever its grades decide (RV-D34)."""

import json
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from evals.command.report import gate_lines
from evals.models import EvalRun
from review.queries.agreement import calibration_of_judge
from scoring.logic.pins import pin_hash
from scoring.models import GradingSettings, Score
from scoring.queries.judge_named import judge_named
from tests.api.clients import client_of
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.review.judged import OTHER_PIN, PIN, Pin, decide_many, finding, result

SignIn = Callable[[str], Client]
NOT_YET = "Judge not calibrated: Decisions about answers that it graded: 12 of the 30 that it takes"
CALIBRATED = "Judge calibrated: 42 of 42 decisions agree; Cohen's kappa 1.00 (0.83 to 1.00)"


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def judged_run(scene: EvalScene, pin: Pin | None = PIN, **fields: Any) -> EvalRun:
    """A run whose answers this judge graded, or rules alone."""
    run = scene.run("pass", "pass", "fail", **fields)
    graded = {"pin": pin.as_json() if pin else None, "pin_hash": pin_hash(pin), "results": [result(finding("pass"))]}
    Score.objects.filter(attempt__run=run).update(**graded)
    return run


def shown(browser: Client, path: str) -> str:
    response = browser.get(path, headers={"HX-Request": "true"} if "/grading/" in path else {})
    assert response.status_code == 200
    return " ".join(unescape(response.content.decode()).split())


def few(scene: EvalScene) -> None:
    decide_many(scene, {("pass", "pass"): 7, ("fail", "fail"): 5})


def many(scene: EvalScene) -> None:
    decide_many(scene, {("pass", "pass"): 21, ("fail", "fail"): 21})


@pytest.mark.spec("RV-D34", "EV-D61")
def test_the_gate_of_the_api_says_so_beside_its_verdict(scene: EvalScene) -> None:
    run, builder = judged_run(scene), client_of(scene.cast.builder)
    few(scene)
    judge = builder.get(f"/evals/{run.pk}/gate").json()["judge"]
    assert (judge["calibrated"], judge["decisions"], judge["agreeing"], judge["words"]) == (False, 12, 12, NOT_YET)
    assert judge["kappa"] == 1
    assert judge["url"].endswith(f"/datasets/{scene.dataset.pk}/agreement/?judge={pin_hash(PIN)[:12]}")
    decide_many(scene, {("pass", "pass"): 14, ("fail", "fail"): 16})
    judge = builder.get(f"/evals/{run.pk}/gate").json()["judge"]
    assert (judge["calibrated"], judge["words"]) == (True, CALIBRATED)
    assert judge["interval"] == [pytest.approx(0.832, abs=0.001), 1]


@pytest.mark.spec("RV-D34")
def test_under_ten_decisions_the_api_gives_no_number(scene: EvalScene) -> None:
    run = judged_run(scene)
    decide_many(scene, {("pass", "pass"): 4, ("fail", "fail"): 5})
    judge = client_of(scene.cast.builder).get(f"/evals/{run.pk}/gate").json()["judge"]
    assert (judge["decisions"], judge["kappa"], judge["interval"]) == (9, None, None)


@pytest.mark.spec("RV-D34")
def test_where_rules_alone_graded_there_is_no_mark(scene: EvalScene, sign_in: SignIn) -> None:
    run = judged_run(scene, None)
    many(scene)
    assert client_of(scene.cast.builder).get(f"/evals/{run.pk}/gate").json()["judge"] is None
    assert "calibrated" not in shown(sign_in("builder"), f"/evals/{run.pk}/")


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(("decide", "label"), [(few, "Judge not calibrated"), (many, "Judge calibrated")])
def test_the_page_of_a_run_says_so_beside_its_gate(
    scene: EvalScene, sign_in: SignIn, decide: Callable[[EvalScene], None], label: str
) -> None:
    run = judged_run(scene)
    decide(scene)
    page = shown(sign_in("builder"), f"/evals/{run.pk}/")
    assert f'<span class="pill-text">{label}</span>' in page
    assert f"/datasets/{scene.dataset.pk}/agreement/?judge={pin_hash(PIN)[:12]}" in page


@pytest.mark.spec("RV-D34")
def test_a_comparison_says_so_once_or_of_each_judge(scene: EvalScene, sign_in: SignIn) -> None:
    before, run, other = judged_run(scene), judged_run(scene), judged_run(scene, OTHER_PIN)
    many(scene)
    browser = sign_in("builder")
    same = shown(browser, f"/evals/{run.pk}/compare/?with={before.pk}")
    assert (same.count("Judge calibrated"), same.count("Judge not calibrated")) == (1, 0)
    differs = shown(browser, f"/evals/{other.pk}/compare/?with={before.pk}")
    assert (differs.count("Judge calibrated"), differs.count("Judge not calibrated")) == (1, 1)


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize("who", ["builder", "viewer"])
def test_grading_says_so_of_the_judge_that_is_saved(scene: EvalScene, sign_in: SignIn, who: str) -> None:
    path = f"/datasets/{scene.dataset.pk}/grading/"
    assert "calibrated" not in shown(sign_in(who), path)
    criteria = [{"id": "c-1", "name": "Deadline", "criterion": "Is it named?", "required": True}]
    judge = {"enabled": True, "criteria": criteria}
    GradingSettings.objects.create(dataset=scene.dataset, settings={"judge": judge}, revision=1)
    assert "Judge not calibrated" in shown(sign_in(who), path)
    pin = judge_named(scene.actor(), scene.dataset).pin
    assert pin is not None
    decide_many(scene, {("pass", "pass"): 21, ("fail", "fail"): 21}, pin=pin)
    assert "Judge calibrated" in shown(sign_in(who), path)


@pytest.mark.spec("RV-D34", "EV-D57")
def test_the_summary_and_the_command_say_so(scene: EvalScene) -> None:
    run, builder = judged_run(scene), client_of(scene.cast.builder)
    few(scene)
    response: Any = builder.get(f"/evals/{run.pk}/export?format=md")
    text = b"".join(response.streaming_content).decode().replace("\\", "")
    assert f"{NOT_YET}." in text
    gate = json.loads(builder.get(f"/evals/{run.pk}/gate").content)
    assert NOT_YET in list(gate_lines(gate))
    assert not any("alibrated" in line for line in gate_lines(gate | {"judge": None}))


@pytest.mark.spec("RV-D34")
def test_of_several_judges_one_that_is_not_calibrated_speaks(scene: EvalScene) -> None:
    run = judged_run(scene)
    many(scene)
    some = Score.objects.filter(attempt__run=run).first()
    assert some is not None
    Score.objects.filter(pk=some.pk).update(pin=OTHER_PIN.as_json(), pin_hash=pin_hash(OTHER_PIN))
    assert calibration_of_judge(scene.dataset.pk, pin_hash(PIN)).is_calibrated
    judge = client_of(scene.cast.builder).get(f"/evals/{run.pk}/gate").json()["judge"]
    assert (judge["calibrated"], judge["decisions"]) == (False, 0)
