"""The API of what a test run came to: comparison, gate and exports."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry
from datasets.operations.cases import edit_case
from datasets.operations.datasets import delete_dataset
from evals.logic.export_rows import COLUMNS
from evals.models import EvalRun
from scoring.logic.findings import Evaluator, EvaluatorResult, Reason, State
from scoring.models import Score
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.evals.test_api_runs import FAILED, REASONS, failing

CALLS = [{"tool": "find_order", "arguments": {"id": 7}, "outcome": "ok"}]


@pytest.fixture
def builder(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


def compared(cast: Cast) -> tuple[EvalScene, EvalRun, EvalRun]:
    """A run with a regressed case, a passed one and one that was not answered; and the one before."""
    scene = EvalScene(cast, cases=4, tags=[("returns",)])
    before = scene.run("pass", "pass", "pass")
    run = scene.run(baseline=before, label="Nightly")
    item = failing(scene, run, 0, seconds=1.5, model="answers-1")
    for _turn in range(2):
        scene.attempt(item, "fail", kind="confirm", score=FAILED)
    scene.attempt(scene.item(run, scene.revisions[1]), "pass", score={"answer": "=1+1", "calls": CALLS})
    error = Reason("The provider refused: %(status)d", {"status": 401}).as_json()
    scene.attempt(scene.item(run, scene.revisions[3]), state="error", error=error, answered_at=None)
    return scene, before, run


def body_of(response: Any) -> str:
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content).decode()


@pytest.mark.spec("EV-D2", "EV-D41", "EV-D42", "EV-D44", "EV-D45")
def test_two_runs_are_compared_with_both_answers_of_each_case(cast: Cast, builder: ApiClient) -> None:
    _scene, before, run = compared(cast)
    EvalRun.objects.filter(pk=run.pk).update(kept={"model": "answers-2"}, version=2)
    path = f"/evals/{run.pk}/compare?with={before.pk}"
    found = builder.get(path).json()
    assert (found["before"]["cases"]["passed"], found["after"]["cases"]["failed"]) == (3, 1)
    assert [(one["part"], one["old"], one["new"]) for one in found["differences"]] == [
        ("model", "", "answers-2"), ("dataset_version", 1, 2),
    ]  # fmt: skip
    counts = found["counts"]
    assert (counts["regressed_confirmed"], counts["unchanged"], counts["new"], counts["removed"]) == (1, 1, 1, 1)
    assert (counts["b"], counts["c"], counts["p"], counts["verdict"]) == (1, 0, 1.0, "Could be chance")
    assert [(row["tag"], row["regressed"]) for row in found["tags"]] == [("returns", 1), (None, 0)]
    regressed, unchanged, removed, new = found["results"]
    assert (regressed["question"], regressed["change"]["change"]) == ("Question 0", "regressed")
    assert regressed["before"]["attempts"][0]["outcome"] == "pass"
    assert [one["answer"]["text"] for one in regressed["after"]["attempts"]] == ["No."] * 3
    assert regressed["after"]["attempts"][0]["reasons"] == REASONS
    assert unchanged["after"]["attempts"][0]["answer"]["tool_calls"][0]["tool"] == "find_order"
    assert (removed["after"], removed["change"]["because"]) == (None, "removed")
    assert (new["before"], new["change"]["because"]) == (None, "new")
    for query, questions in {
        "change=removed": ["Question 2"],
        "tag=returns": ["Question 0"],
        "change=flaky": [],
    }.items():
        shown = builder.get(f"{path}&{query}").json()
        assert [row["question"] for row in shown["results"]] == questions
        assert shown["counts"] == counts


@pytest.mark.spec("EV-D39", "EV-D53")
def test_only_runs_of_one_dataset_that_are_there_are_compared(cast: Cast, builder: ApiClient) -> None:
    run, elsewhere = EvalScene(cast, cases=1).run("pass"), EvalScene(cast, cases=1).run("pass")
    for other in (elsewhere.pk, uuid4(), "x", ""):
        refused = builder.get(f"/evals/{run.pk}/compare?with={other}")
        assert refused.status_code == 422
        assert [problem["field"] for problem in refused.json()["errors"]] == ["with"]
    assert builder.get(f"/evals/{run.pk}/compare").status_code == 422


@pytest.mark.spec("EV-D61", "EV-D62")
def test_the_gate_says_whether_a_pipeline_may_go_on_and_why_not(cast: Cast, builder: ApiClient) -> None:
    scene, _before, run = compared(cast)
    path = f"/evals/{run.pk}/gate"
    found = builder.get(path).json()
    assert (found["passed"], found["exit_code"], found["status"], found["regressions"]) == (False, 1, "completed", 1)
    assert found["reasons"] == ["Confirmed regressions: 1, allowed: 0", "Unscored cases: 1, allowed: 0"]
    assert found["cases"]["pass_rate"] == 0.5
    lenient = f"{path}?min_pass_rate=0.5&max_regressions=1&max_unscored=1"
    assert builder.get(lenient).json()["passed"] is True
    assert builder.get(f"{path}?max_regressions=1").json()["exit_code"] == 3
    assert builder.get(lenient.replace("0.5", "0.51")).json()["reasons"] == [
        "Pass rate below 0.51: 1 of 2 cases passed"
    ]
    for query in ("min_pass_rate=1.1", "min_pass_rate=90%25", "max_unscored=-1", "max_regressions=", "x=1",
                  "max_unscored=1&max_unscored=2", "min_pass_rate=0.9%0A"):  # fmt: skip
        assert builder.get(f"{path}?{query}").status_code == 422, query
    EvalRun.objects.filter(pk=run.pk).update(state="running")
    assert builder.get(lenient).json()["exit_code"] == 3
    assert scene.dataset.pk == run.dataset_id


@pytest.mark.spec("EV-D61", "EV-D40", "EV-D57")
def test_a_gate_of_a_run_in_which_nothing_was_compared_says_so_everywhere(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=2)
    before = scene.run("pass")
    alone, run = scene.run("pass"), scene.run(baseline=before)
    scene.attempt(scene.item(run, scene.revisions[1]), "pass")
    found = builder.get(f"/evals/{run.pk}/gate").json()
    assert (found["passed"], found["exit_code"], found["compared"]) == (True, 0, 0)
    assert found["note"].startswith("Nothing was compared: no case")
    assert builder.get(f"/evals/{alone.pk}/gate").json()["compared"] is None
    assert "Nothing was compared" in body_of(builder.get(f"/evals/{run.pk}/export?format=md"))
    assert builder.get(f"/evals/{run.pk}").json()["totals"]["changes"]["verdict"] == "Nothing was compared"


@pytest.mark.spec("EV-D57", "EV-D58", "EV-D59")
def test_csv_and_jsonl_hold_a_row_an_attempt_with_every_column(cast: Cast, builder: ApiClient) -> None:
    _scene, _before, run = compared(cast)
    response = builder.get(f"/evals/{run.pk}/export?format=csv", Accept="text/plain")
    assert response["Content-Disposition"] == 'attachment; filename="returns-test-run-2.csv"'
    rows = list(csv.DictReader(io.StringIO(body_of(response))))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["attempt"], row["kind"], row["final_outcome"], row["change"]) for row in rows] == [
        ("1", "first", "fail", "regressed"),
        ("2", "confirm", "fail", "regressed"),
        ("3", "confirm", "fail", "regressed"),
        ("1", "first", "pass", "unchanged"),
        ("1", "first", "unscored", "not_comparable"),
    ]
    assert (rows[0]["input"], rows[0]["answer"], rows[0]["latency_ms"]) == ("Question 0", "No.", "1500")
    assert (rows[0]["reasons"].split("\n"), rows[0]["checks_verdict"]) == (REASONS, "fail")
    assert rows[3]["answer"] == "'=1+1"
    assert (rows[4]["error"], rows[4]["answer"]) == ("The provider refused: 401", "")
    lines = body_of(builder.get(f"/evals/{run.pk}/export?format=jsonl")).splitlines()
    read = [json.loads(line) for line in lines]
    assert [tuple(one) for one in read] == [COLUMNS] * 5
    assert (read[3]["answer"], read[3]["tool_calls"], read[0]["tags"]) == ("=1+1", CALLS, ["returns"])


@pytest.mark.spec("EV-D57")
def test_junit_has_a_test_a_case_and_the_summary_names_what_regressed(cast: Cast, builder: ApiClient) -> None:
    _scene, _before, run = compared(cast)
    document = body_of(builder.get(f"/evals/{run.pk}/export?format=junit"))
    suite = ElementTree.fromstring(document.encode())[0]  # noqa: S314 - our own document
    assert suite.attrib["name"] == "Returns, test run 2: Nightly"
    assert {name: suite.attrib[name] for name in ("tests", "failures", "skipped")} == {
        "tests": "3", "failures": "1", "skipped": "1",
    }  # fmt: skip
    failed, passed, skipped = suite
    assert (failed[0].tag, failed[0].text) == ("failure", "\n".join(REASONS))
    assert list(passed) == []
    assert (skipped[0].tag, skipped[0].text) == ("skipped", "Not answered\nThe provider refused: 401")
    text = body_of(builder.get(f"/evals/{run.pk}/export?format=md"))
    assert "- Question 0\n" in text
    assert f"(<http://localhost:8000/evals/{run.pk}/>)" in text


@pytest.mark.spec("EV-D57", "EV-D56")
def test_only_a_run_that_has_ended_is_exported_and_each_export_is_audited(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run("pass", state="running")
    refused = builder.get(f"/evals/{run.pk}/export?format=csv")
    assert (refused.status_code, refused.json()["code"]) == (409, "eval_running")
    for query in ("", "?format=xlsx", "?format=csv&x=1"):
        assert builder.get(f"/evals/{run.pk}/export{query}").status_code == 422
    assert not AuditEntry.objects.filter(action="eval.exported").exists()
    for state in ("completed", "cancelled", "stopped", "failed"):
        EvalRun.objects.filter(pk=run.pk).update(state=state)
        assert builder.get(f"/evals/{run.pk}/export?format=csv").status_code == 200
    entry = AuditEntry.objects.filter(action="eval.exported").latest("pk")
    assert entry.object_id == str(scene.dataset.pk)
    assert entry.details == {
        "eval": str(run.pk), "number": 1, "format": "csv", "cases": 1, "attempts": 1,
    }  # fmt: skip


@pytest.mark.spec("EV-D59", "EV-D53", "RV-75", "EV-23")
@pytest.mark.parametrize("file_format", ["csv", "jsonl", "junit", "md"])
def test_a_file_holds_nothing_that_its_reader_may_not_read(cast: Cast, file_format: str) -> None:
    scene, _before, run = compared(cast)
    whole = body_of(client_of(cast.builder).get(f"/evals/{run.pk}/export?format={file_format}"))
    blind = client_of(cast.builder, ["runs:view", "datasets:view"])
    text = body_of(blind.get(f"/evals/{run.pk}/export?format={file_format}"))
    hidden = ["It is curt", "does not contain"]
    if file_format in ("csv", "jsonl"):
        hidden += ["No.", "=1+1", "find_order", scene.agent.name, "answers-1"]
    assert all(words in whole for words in hidden)
    for words in [*hidden, "The provider refused"]:
        assert words not in text, words


@pytest.mark.spec("EV-D59")
def test_a_file_whose_dataset_is_deleted_meanwhile_breaks_off(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=1)
    response = builder.get(f"/evals/{scene.run('pass').pk}/export?format=jsonl")
    delete_dataset(cast.actor("builder"), dataset_id=scene.dataset.pk)
    with pytest.raises(RuntimeError, match="gone"):
        b"".join(response.streaming_content)


@pytest.mark.spec("EV-D51")
def test_a_file_holds_the_revision_that_was_asked(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=1)
    run, case = scene.run("pass"), scene.revisions[0].case_id
    edit_case(cast.actor("builder"), dataset_id=scene.dataset.pk, case_id=case, changes={"input": "Rewritten?"})
    assert "Rewritten?" not in body_of(builder.get(f"/evals/{run.pk}/export?format=csv"))


def test_reasons_come_in_the_language_of_the_reader(cast: Cast, builder: ApiClient) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run("unscored")
    found = EvaluatorResult(Evaluator.CHECKS, must_pass=True, state=State.NO_VERDICT, why=Reason("Out of time"))
    Score.objects.update(results=[found.as_json()])
    spanish = body_of(builder.get(f"/evals/{run.pk}/export?format=jsonl", Accept_Language="es"))
    assert json.loads(spanish)["reasons"] == ["Comprobaciones: Out of time"]


@pytest.mark.spec("EV-D59")
@pytest.mark.parametrize("file_format", ["csv", "junit"])
def test_a_larger_file_takes_two_queries_more_a_batch(
    cast: Cast, builder: ApiClient, file_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.queries.exported.BATCH", 2)
    scene = EvalScene(cast, cases=6)
    small, large = scene.run(*["pass"] * 2), scene.run(*["pass"] * 6)
    body_of(builder.get(f"/evals/{small.pk}/export?format={file_format}"))
    counts = []
    for run in (small, large):
        with CaptureQueriesContext(connection) as counted:
            body_of(builder.get(f"/evals/{run.pk}/export?format={file_format}"))
        counts.append(len(counted))
    assert counts[1] - counts[0] == 4
    assert counts[0] <= 22
