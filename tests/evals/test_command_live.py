"""The command `casebook` against the real API, with the key of a pipeline; while it waits, the test is the worker."""

import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from config.environment import ROOT
from evals.command.main import main
from evals.command.patience import Clock
from evals.models import EvalRun, EvalState
from evals.operations.work import work_on
from tests.agents.provider_server import FakeProvider
from tests.api.clients import key_of
from tests.cast import make_cast
from tests.evals.working import GOOD, WorkScene, answering

pytestmark = pytest.mark.django_db(transaction=True)
SCOPES = ("runs:view", "datasets:run", "agents:run")


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def said() -> dict[str, str]:
    """What the agent says to a question, where that is not a good answer."""
    return {}


@pytest.fixture
def provider(said: dict[str, str]) -> Iterator[FakeProvider]:
    with answering(lambda question: said.get(question, GOOD)) as found:
        yield found


class Pipeline:
    """A machine on which nothing of Casebook is but the command."""

    def __init__(self, url: str, provider: FakeProvider) -> None:
        self.scene = WorkScene(make_cast(), provider)
        key = key_of(self.scene.cast.members["builder"], permissions=SCOPES)
        self.environment = {"CASEBOOK_URL": url, "CASEBOOK_API_KEY": key}
        self.chosen = ["--dataset", str(self.scene.dataset.pk), "--agent", str(self.scene.agent.pk)]

    def run(self, *given: str, works: bool = True) -> tuple[int, str, str]:
        """The exit code and both streams of `casebook`."""
        out, err = io.StringIO(), io.StringIO()
        clock = Clock(time.monotonic, lambda _seconds: self.work() if works else None)
        code = main(given, self.environment, out=out, err=err, clock=clock)
        assert self.environment["CASEBOOK_API_KEY"] not in out.getvalue() + err.getvalue()
        return code, out.getvalue(), err.getvalue()

    def work(self) -> None:
        for run in EvalRun.objects.filter(state__in=(EvalState.QUEUED, EvalState.RUNNING, EvalState.CONFIRMING)):
            work_on(run.pk)

    def run_of_copy(self, folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
        """The same by a process that has the command's own folder and nothing else of Casebook."""
        shutil.copytree(ROOT / "evals" / "command", folder / "evals" / "command")
        clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        command = [sys.executable, "-m", "evals.command", *given]
        return subprocess.run(
            command, cwd=folder, env=clean | self.environment, capture_output=True, text=True, timeout=120, check=False
        )


@pytest.fixture
def pipeline(live_server: Any, provider: FakeProvider, settings: Any) -> Pipeline:
    settings.BASE_URL = live_server.url
    return Pipeline(live_server.url, provider)


@pytest.mark.spec("EV-D60", "EV-D61", "EV-D62", "EV-D65")
def test_a_pipeline_runs_checks_and_keeps_a_run(pipeline: Pipeline, tmp_path: Path, live_server: Any) -> None:
    file = tmp_path / "report.xml"
    code, out, err = pipeline.run("eval", "run", *pipeline.chosen, "--label", "Nightly", "--output", str(file))
    run = EvalRun.objects.get()
    assert (code, run.state, run.label, run.with_key) == (0, EvalState.COMPLETED, "Nightly", True), out + err
    assert out.splitlines()[0] == f"{live_server.url}/evals/{run.pk}/"
    assert "Pass rate" in out
    assert "100% (44 to 100%), 3 of 3" in out
    assert out.endswith("Gate passed\nNote: Nothing was compared: the run has no baseline\n")
    assert "Test run            1\n" in out
    suite = ElementTree.parse(file).getroot()[0]  # noqa: S314  (our own export)
    assert (suite.get("tests"), suite.get("failures")) == ("3", "0")
    assert err.splitlines()[-1].startswith("Completed: 3 of 3 answered, 3 graded, 3 passed, ")


@pytest.mark.spec("EV-D61", "EV-D63", "BC-41")
def test_a_regression_fails_the_gate_and_is_named_with_its_reasons(
    pipeline: Pipeline, said: dict[str, str], tmp_path: Path
) -> None:
    pipeline.run("eval", "run", *pipeline.chosen)
    said["Question 1"] = "No idea."
    file = tmp_path / "rows.jsonl"
    code, out, _err = pipeline.run("eval", "run", *pipeline.chosen, "--output", str(file))
    assert code == 1
    regressed = out.partition("Regressed cases\n")[2]
    assert "- Question 1 (0 of 3 passed)" in regressed
    assert "days" in regressed
    assert "Gate failed\n- Confirmed regressions: 1, allowed: 0" in out
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(row["kind"] for row in rows) == ["confirm", "confirm", "first", "first", "first"]
    newest = str(EvalRun.objects.latest("number").pk)
    assert pipeline.run("eval", "gate", newest, "--max-regressions", "1")[0] == 0
    assert pipeline.run("eval", "gate", newest, "--max-regressions", "1", "--min-pass-rate", "0.67")[0] == 1
    copied = pipeline.run_of_copy(tmp_path / "elsewhere", "eval", "gate", newest)
    assert (copied.returncode, copied.stderr) == (1, ""), copied
    assert copied.stdout.splitlines()[0].endswith(f"/evals/{newest}/")
    assert "Gate failed" in copied.stdout


@pytest.mark.spec("EV-D62", "EV-D9")
def test_refusals_estimates_and_waiting_time(pipeline: Pipeline) -> None:
    code, out, err = pipeline.run("eval", "run", *pipeline.chosen, "--agent-version", "9", "--tag", "nowhere")
    assert (code, out) == (2, "")
    assert "agent_version: " in err
    code, out, _err = pipeline.run("eval", "estimate", *pipeline.chosen)
    assert (code, EvalRun.objects.count()) == (0, 0)
    assert "Cases            3\n" in out
    code, out, err = pipeline.run("eval", "run", *pipeline.chosen, "--timeout", "0.2", works=False)
    assert code == 4
    assert f"The test run goes on: {out.splitlines()[0]}" in err
    assert pipeline.run("eval", "gate", str(EvalRun.objects.get().pk))[0] == 3


@pytest.mark.spec("EV-D65", "EV-D4")
def test_a_key_without_a_scope_is_refused(pipeline: Pipeline) -> None:
    for left_out in SCOPES:
        scopes = [scope for scope in SCOPES if scope != left_out]
        pipeline.environment["CASEBOOK_API_KEY"] = key_of(pipeline.scene.cast.members["builder"], permissions=scopes)
        code, out, err = pipeline.run("eval", "run", *pipeline.chosen)
        assert (code, out, EvalRun.objects.count()) == (2, "", 0), left_out
        assert err
