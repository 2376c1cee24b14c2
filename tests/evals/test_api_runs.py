"""The API of test runs: starting and listing them, one of them with its cases, the acts on it."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evals.models import Attempt, EvalItem, EvalRun
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Reason, State, Verdict
from scoring.models import Score
from tests.api.clients import ApiClient, client_of, stable
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.evals.starts import StartScene

FOUND = EvaluatorResult(
    Evaluator.CHECKS,
    must_pass=True,
    state=State.FAIL,
    number=0.0,
    findings=(
        Finding(
            "check-1",
            Origin.CASE_CHECK,
            Verdict.FAIL,
            name="contains",
            why=Reason("The answer does not contain “%(value)s”", {"value": "days"}),
        ),
        Finding("c-1", Origin.CRITERION, Verdict.FAIL, name="Polite", grade=2, reason="It is curt."),
        Finding("c-2", Origin.CRITERION, Verdict.PASS, name="Short", grade=5, reason="One line."),
    ),
)
REASONS = ["The answer does not contain “days”", "Polite: It is curt."]
FAILED: dict[str, Any] = {"results": [FOUND.as_json()], "answer": "No.", "number": 0.0}


def failing(scene: EvalScene, run: EvalRun, place: int, **fields: Any) -> EvalItem:
    """A case of the run with an answer that failed for reasons."""
    item = scene.item(run, scene.revisions[place])
    scene.attempt(item, "fail", score=FAILED, **fields)
    return item


@pytest.fixture
def builder(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.mark.spec("EV-D2", "EV-D7")
def test_a_start_names_the_run_and_the_same_key_starts_no_second_one(cast: Cast, builder: ApiClient) -> None:
    scene = StartScene(cast)
    body = {"agent": str(scene.agent.pk), "label": "Nightly", "max_cost_usd": "2.50", "repeats": 2}
    first = builder.post(f"/datasets/{scene.dataset.pk}/evals", body, Idempotency_Key="k")
    again = builder.post(f"/datasets/{scene.dataset.pk}/evals", body, Idempotency_Key="k")
    run = EvalRun.objects.get()
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first.json() == {"id": str(run.pk), "status": "queued", "url": f"http://localhost:8000/evals/{run.pk}/"}
    assert first["Location"] == f"/api/v1/evals/{run.pk}"
    shown = builder.get(f"/evals/{run.pk}").json()
    assert (shown["label"], shown["configuration"]["max_cost_usd"], shown["totals"]) == (
        "Nightly",
        "2.5000000000",
        None,
    )
    assert (shown["progress"]["total"], shown["progress"]["graded"], shown["ahead"]) == (4, 0, 0)
    assert shown["configuration"]["model"] == scene.model.name
    assert shown["estimate"]["cases"] == 2


@pytest.mark.spec("EV-D2", "EV-D10")
def test_an_estimate_spends_and_keeps_nothing(cast: Cast, builder: ApiClient) -> None:
    scene = StartScene(cast)
    found = builder.post(f"/datasets/{scene.dataset.pk}/evals/estimate", {"agent": str(scene.agent.pk)})
    shown = found.json()
    assert found.status_code == 200
    assert (shown["cases"], shown["attempts"], shown["judge"]) == (2, 2, None)
    assert shown["left_out"] == {"anonymised": 0, "nothing_to_check": 0}
    assert shown["expected"]["total"]["kind"] in ("below_a_cent", "amount", "unknown")
    assert not EvalRun.objects.exists()


@pytest.mark.spec("EV-D4", "EV-D5", "PL-41")
def test_refusals_come_in_their_order_and_name_each_field(cast: Cast, builder: ApiClient) -> None:
    scene = StartScene(cast)
    path = f"/datasets/{scene.dataset.pk}/evals"
    bad = {"agent": str(scene.agent.pk), "repeats": 9, "nope": 1}
    assert client_of(cast.stranger).post(path, bad).status_code == 404
    assert client_of(cast.member).post(path, bad).status_code == 403
    assert builder.post(path, {"agent": str(uuid4()), "repeats": 9}).status_code == 404
    refused = builder.post(path, bad)
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == ["nope", "repeats"]
    bodies: list[Any] = [[], "x", None, 1]
    for body in bodies:
        assert builder.post(path, body).status_code == 422
    archived = builder.post(path, {"agent": str(scene.agent.pk), "baseline": str(uuid4())})
    assert [problem["field"] for problem in archived.json()["errors"]] == ["baseline"]


@pytest.mark.spec("EV-D65")
@pytest.mark.parametrize("left_out", ["runs:view", "datasets:run", "agents:run"])
def test_a_key_needs_its_three_scopes_and_no_more(cast: Cast, left_out: str) -> None:
    scene = StartScene(cast)
    scopes = ["runs:view", "datasets:run", "agents:run"]
    path, body = f"/datasets/{scene.dataset.pk}/evals", {"agent": str(scene.agent.pk)}
    started = client_of(cast.builder, scopes).post(path, body)
    assert started.status_code == 201
    less = client_of(cast.builder, [scope for scope in scopes if scope != left_out])
    assert less.post(path, body).status_code in (403, 404)
    run = started.json()["id"]
    whole = client_of(cast.builder, scopes)
    assert [whole.get(f"/evals/{run}{part}").status_code for part in ("", "/items", "/gate")] == [200, 200, 200]
    assert whole.post(f"/evals/{run}/cancel").status_code == 202


@pytest.mark.spec("EV-D2", "EV-D38")
def test_runs_are_listed_newest_first_with_rate_regressions_and_cost(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=2)
    before = scene.run("pass", "pass", label="Before")
    after = scene.run("fail", "pass", label="After", baseline=before)
    Attempt.objects.filter(run=after).update(cost=Decimal("0.25"))
    path = f"/datasets/{scene.dataset.pk}/evals"
    rows = builder.get(path).json()["results"]
    assert [row["label"] for row in rows] == ["After", "Before"]
    assert rows[0]["cases"]["pass_rate"] == 0.5
    assert (rows[0]["regressed"], rows[0]["regressed_confirmed"], rows[1]["regressed"]) == (1, 0, None)
    assert Decimal(rows[0]["cost_usd"]) == Decimal("0.5")
    assert rows[0]["agent"] == {"id": str(scene.agent.pk), "name": scene.agent.name, "version": None}

    def labels(query: str) -> list[str]:
        return [row["label"] for row in builder.get(f"{path}?{query}").json()["results"]]

    assert labels("label=bef") == ["Before"]
    assert labels(f"agent={uuid4()}") == labels("status=failed") == labels("archived=true") == []
    assert labels(f"agent={scene.agent.pk}&status=completed&page_size=1") == ["After"]
    assert builder.get(f"{path}?status=nope").status_code == 422
    assert client_of(cast.member).get(path).status_code == 403


@pytest.mark.spec("EV-D2", "EV-D38", "EV-D64")
def test_a_run_is_read_whole_and_not_again_while_nothing_changed(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=3, tags=[("returns",)])
    before = scene.run("pass", "pass", "pass")
    run = scene.run(baseline=before)
    failing(scene, run, 0, seconds=1.5, model="answers-1", input_tokens=7, output_tokens=3)
    scene.attempt(scene.item(run, scene.revisions[1]), "pass", seconds=0.5)
    answer = builder.get(f"/evals/{run.pk}")
    shown = answer.json()
    totals = shown["totals"]
    assert totals["cases"] == {
        "passed": 1, "failed": 1, "unscored": 0, "pass_rate": 0.5, "interval": totals["cases"]["interval"],
    }  # fmt: skip
    assert (totals["changes"]["regressed"], totals["changes"]["removed"], totals["changes"]["p"]) == (1, 1, 1.0)
    assert totals["latency"] == {"median_ms": 1000, "p95_ms": 1450, "maximum_ms": 1500, "count": 2}
    assert [(row["tag"], row["regressed"]) for row in totals["tags"]] == [("returns", 1), (None, 0)]
    [checks] = totals["evaluators"]
    assert (checks["evaluator"], checks["failed"], checks["criteria"][0]["name"]) == ("checks", 1, "Polite")
    assert shown["cause"] is None
    assert builder.get(f"/evals/{run.pk}", If_None_Match=answer["ETag"]).status_code == 304
    Score.objects.filter(outcome="fail").update(decided="pass")
    assert builder.get(f"/evals/{run.pk}", If_None_Match=answer["ETag"]).json()["totals"]["decided"] == 1


@pytest.mark.spec("EV-D2", "EV-6", "EV-D46")
def test_cases_are_listed_in_order_with_what_became_of_them_and_why(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=4, tags=[("returns",), ("Returns",)])
    before = scene.run("pass", "pass", "fail")
    run = scene.run(baseline=before)
    item = failing(scene, run, 0)
    for _turn in range(2):
        scene.attempt(item, "fail", kind="confirm", score=FAILED)
    scene.attempt(scene.item(run, scene.revisions[1]), "pass")
    refused = Reason("The provider refused: %(status)d", {"status": 401})
    third = scene.item(run, scene.revisions[2])
    scene.attempt(third, state="error", error=refused.as_json(), answered_at=None)
    path = f"/evals/{run.pk}/items"
    first, second, unanswered = builder.get(path).json()["results"]
    assert (first["question"], first["result"], first["reasons"]) == ("Question 0", "fail", REASONS)
    assert (first["change"]["change"], first["change"]["confirmed"], first["change"]["judged"]) == (
        "regressed",
        True,
        3,
    )
    assert [(one["attempt"], one["kind"]) for one in first["attempts"]] == [
        (1, "first"),
        (2, "confirm"),
        (3, "confirm"),
    ]
    assert (second["result"], second["reasons"], second["change"]["change"]) == ("pass", [], "unchanged")
    assert unanswered["reasons"] == ["Not answered", "The provider refused: 401"]
    assert (unanswered["attempts"][0]["outcome"], unanswered["attempts"][0]["final_outcome"]) == (None, "unscored")
    assert unanswered["change"]["because"] == "unscored"

    def questions(query: str) -> list[str]:
        return [row["question"] for row in builder.get(f"{path}?{query}").json()["results"]]

    assert questions("result=fail") == questions("change=regressed") == ["Question 0"]
    assert questions("tag=RETURNS") == ["Question 0", "Question 1"]
    assert questions("tag=,") == questions("change=not_comparable") == ["Question 2"]
    assert questions("tag=RETURNS&result=pass") == ["Question 1"]
    assert questions("change=improved") == []
    for query in ("result=nope", "change=changed", "sort=x", "cursor=x", "page_size=0", "result=fail&result=pass"):
        assert builder.get(f"{path}?{query}").status_code == 422, query


@pytest.mark.spec("PL-42")
@pytest.mark.parametrize("query", ["", "&result=pass"])
def test_pages_of_cases_lead_forth_and_back(cast: Cast, builder: ApiClient, query: str) -> None:
    scene = EvalScene(cast, cases=5)
    run = scene.run(*["pass"] * 5)
    pages, address = [], f"/evals/{run.pk}/items?page_size=2{query}"
    while address:
        pages.append(builder.get(address).json())
        address = (pages[-1]["next"] or "").removeprefix("http://testserver/api/v1")
    assert [[row["question"][-1] for row in page["results"]] for page in pages] == [["0", "1"], ["2", "3"], ["4"]]
    back = builder.get(pages[2]["previous"].removeprefix("http://testserver/api/v1")).json()
    assert back["results"] == pages[1]["results"]
    assert pages[0]["previous"] is None


@pytest.mark.parametrize("query", ["", "?change=regressed"])
def test_a_page_of_cases_takes_few_queries_however_large_it_is(cast: Cast, builder: ApiClient, query: str) -> None:
    scene = EvalScene(cast, cases=8)
    before = scene.run(*["pass"] * 8)
    run = scene.run(baseline=before)
    for place in range(8):
        failing(scene, run, place)
    with CaptureQueriesContext(connection) as counted:
        assert len(builder.get(f"/evals/{run.pk}/items{query}").json()["results"]) == 8
    assert len(counted) <= 25


@pytest.mark.spec("EV-D53", "RV-75", "EV-23")
def test_a_key_that_does_not_see_the_agent_reads_outcomes_and_no_words(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run(kept={"model": "answers-1", "agent_name": "Secret"}, options={"agent": str(scene.agent.pk)})
    failing(scene, run, 0, model="answers-1")
    blind = client_of(cast.builder, ["runs:view", "datasets:view"])
    shown = blind.get(f"/evals/{run.pk}")
    [row] = blind.get(f"/evals/{run.pk}/items").json()["results"]
    assert (shown.json()["agent"], shown.json()["configuration"]["model"]) == (None, None)
    assert (row["result"], row["reasons"], row["attempts"][0]["model"]) == ("fail", [], None)
    for words in ("answers-1", "Secret", str(scene.agent.pk)):
        assert words not in shown.content.decode()


@pytest.mark.spec("EV-D53", "EV-32", "ACC-D9")
def test_who_may_not_see_it_gets_the_same_bytes_as_for_one_that_is_not_there(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run("pass")
    for name in ("stranger", "member", "viewer"):
        api = client_of(cast.members[name])
        for part in ("", "/items", "/gate?nope=1", "/export?format=nope", "/compare"):
            unknown = stable(api.get(f"/evals/{uuid4()}{part}"))
            assert stable(api.get(f"/evals/{run.pk}{part}")) == unknown, (name, part)
            assert unknown[0] == 404


@pytest.mark.spec("EV-D2", "EV-D54", "EV-D55")
def test_a_run_is_cancelled_made_the_baseline_archived_and_brought_back(cast: Cast, builder: ApiClient) -> None:
    scene = StartScene(cast)
    run = scene.start()
    cancelled = builder.post(f"/evals/{run.pk}/cancel")
    assert (cancelled.status_code, cancelled.json()["status"]) == (202, "cancelled")
    assert builder.post(f"/evals/{run.pk}/cancel").json()["code"] == "eval_ended"
    refused = builder.post(f"/evals/{run.pk}/resume", {"max_cost_usd": "0"})
    assert [problem["field"] for problem in refused.json()["errors"]] == ["max_cost_usd"]
    resumed = builder.post(f"/evals/{run.pk}/resume", {"max_cost_usd": 5})
    assert (resumed.status_code, resumed.json()["status"]) == (202, "queued")
    assert builder.post(f"/evals/{run.pk}/baseline").json()["code"] == "eval_not_completed"
    EvalRun.objects.filter(pk=run.pk).update(state="completed")
    assert builder.post(f"/evals/{run.pk}/baseline").json()["is_baseline"] is True
    assert builder.delete(f"/evals/{run.pk}/baseline").status_code == 204
    assert builder.post(f"/evals/{run.pk}/archive").json()["archived"] is True
    assert builder.post(f"/evals/{run.pk}/restore").json()["archived"] is False
    operator = client_of(cast.operator)
    assert operator.post(f"/evals/{run.pk}/baseline").status_code == 403


@pytest.mark.spec("ACC-19", "BC-47")
def test_who_lost_sight_of_a_run_is_not_told_of_it_again(cast: Cast) -> None:
    scene = StartScene(cast)
    run = scene.start()
    api = client_of(cast.builder)
    assert api.post(f"/evals/{run.pk}/cancel", Idempotency_Key="k").status_code == 202
    cast.builder.role = "viewer"
    cast.builder.save()
    assert api.post(f"/evals/{run.pk}/cancel", Idempotency_Key="k").status_code == 404
