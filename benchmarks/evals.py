"""How long a test run of a thousand cases takes, against the least it can take, and beside other tools.

A provider in a process of its own answers after 50 ms; twenty calls are in flight, so that 1,000 cases take 2.5 seconds
at the least. Two rules grade each answer. Peers run where they are installed: `PEER_PYTHON` is a Python that has what
benchmarks/peers/requirements.txt lists, `PEER_PHOENIX` one that has arize-phoenix, `PEER_NODE` a folder in which
`npm install` ran with the package.json there. Processor time is printed too: it does not depend on what else runs.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from urllib.request import urlopen
from uuid import UUID

from django.conf import settings
from django.db import connection, connections

from accounts.actor import Actor
from agents.models import Agent, AgentVersion, Connection, LanguageModel
from benchmarks.people import owner
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from datasets.operations.imports import import_file
from evals.logic.choices import EvalChoices
from evals.models import FINAL_STATES, Attempt, EvalRun, EvalState
from evals.operations.start import start_eval
from evals.operations.work import work_on
from scoring.models import Score

CASES, MILLISECONDS, IN_FLIGHT, ROUNDS = 1_000, 50, 20, 3
# Calls this slow leave the processor idle, so that more in flight can be faster on a machine of two.
SLOW_MILLISECONDS, TIMES = 400, 4
PEERS = Path(__file__).with_name("peers")
CHECKS = [{"type": "contains", "value": "30 days"}, {"type": "length", "unit": "words", "max": 80}]
INSTRUCTIONS = "You answer questions of our customers, in a friendly way and in few words. " * 5


def main() -> None:
    """Print every figure."""
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    actor = owner()
    dataset = dataset_of(actor, CASES)
    with provider(MILLISECONDS) as port:
        ideal = CASES * MILLISECONDS / 1_000 / IN_FLIGHT
        print(f"{CASES:,} cases, {MILLISECONDS} ms a call, {IN_FLIGHT} in flight: {ideal:.2f} s at the least\n")
        agent = agent_at(actor, port)
        best = min((one_worker(actor, dataset, agent, port) for _round in range(ROUNDS)), key=lambda took: took[0])
        most = 1.2 if connection.vendor == "postgresql" else 1.5
        told(f"Casebook, {connection.vendor}", best, ideal, f"(at most {most})")
        for name, command in peers().items():
            told(name, peer(command, port) if command else None, ideal, "")
    if connection.vendor == "postgresql":
        two_workers(actor, dataset)


def told(name: str, took: tuple[float, float] | None, ideal: float, wanted: str) -> None:
    if took is None:
        print(f"  {name:28} not installed")
        return
    seconds, cpu = took
    print(f"  {name:28}{seconds:7.2f} s   ratio {seconds / ideal:5.2f}   {cpu / CASES * 1_000:5.2f} ms of cpu {wanted}")


@contextmanager
def provider(milliseconds: int) -> Iterator[int]:
    """The port at which it answers inside the block."""
    command = [sys.executable, "-m", "benchmarks.slow_provider", str(milliseconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


def dataset_of(actor: Actor, cases: int) -> Dataset:
    dataset = create_dataset(actor, name="Returns")
    lines = "\n".join(json.dumps({"input": question_of(number), "checks": CHECKS}) for number in range(cases))
    import_file(actor, dataset_id=dataset.pk, name="cases.jsonl", data=lines.encode())
    return dataset


def question_of(number: int) -> str:
    return f"I bought kettle {number} last week and it hums. May I send it back, and who pays for the parcel?"


def agent_at(actor: Actor, port: int) -> Agent:
    at = Connection(organisation=actor.organisation, name="Slow", provider="compatible")
    at.base_url = f"http://127.0.0.1:{port}/v1"
    at.set_key("bench")
    at.save()
    prices = {"input_price": Decimal(2), "output_price": Decimal(8)}
    model = LanguageModel.objects.create(connection=at, name="small-1", label="Small", **prices)
    agent = Agent.objects.create(
        organisation=actor.organisation, owner=actor.member, name="Support", kind="model", newest_version=1
    )
    AgentVersion.objects.create(agent=agent, number=1, spec={"model": str(model.pk), "instructions": INSTRUCTIONS})
    return agent


def one_worker(actor: Actor, dataset: Dataset, agent: Agent, port: int) -> tuple[float, float]:
    """Seconds and processor seconds of this process from the first job to the completed run."""
    settings.EVAL_CONCURRENCY_PER_RUN = settings.EVAL_CONCURRENCY_PER_ORG = IN_FLIGHT
    run = begun(actor, dataset, agent)
    seen(port)
    began, cpu = time.perf_counter(), time.process_time()
    work_until_done(run.pk)
    took = time.perf_counter() - began, time.process_time() - cpu
    asked = seen(port)
    assert asked["count"] == CASES, asked
    assert asked["most"] <= IN_FLIGHT, asked
    check(run)
    return took


def begun(actor: Actor, dataset: Dataset, agent: Agent) -> EvalRun:
    choices = EvalChoices(agent=str(agent.pk), baseline=None, confirm_changes=False)
    return start_eval(actor, dataset_id=dataset.pk, choices=choices)


def work_until_done(run_id: UUID) -> None:
    while EvalRun.objects.get(pk=run_id).state not in FINAL_STATES:
        work_on(run_id)


def check(run: EvalRun) -> None:
    """Every case has its answer and its score."""
    run.refresh_from_db()
    assert run.state == EvalState.COMPLETED, run.state
    assert Attempt.objects.filter(run=run, state="done").count() == CASES
    assert Score.objects.filter(attempt__run=run, outcome="pass").count() == CASES


def seen(port: int) -> dict[str, int]:
    with urlopen(f"http://127.0.0.1:{port}/") as answered:
        found: dict[str, int] = json.load(answered)
    return found


def two_workers(actor: Actor, dataset: Dataset) -> None:
    """Two processes at two runs of an organisation with four times the calls in flight, against one at one run."""
    with provider(SLOW_MILLISECONDS) as port:
        agent = agent_at(actor, port)
        settings.EVAL_CONCURRENCY_PER_RUN = settings.EVAL_CONCURRENCY_PER_ORG = IN_FLIGHT
        one = side_by_side([begun(actor, dataset, agent)])
        settings.EVAL_CONCURRENCY_PER_ORG = TIMES * IN_FLIGHT
        settings.EVAL_CONCURRENCY_PER_RUN = TIMES * IN_FLIGHT // 2
        two = side_by_side([begun(actor, dataset, agent), begun(actor, dataset, agent)])
        most = seen(port)["most"]
    faster = one / (two / 2)
    print(f"\n{SLOW_MILLISECONDS} ms a call, {CASES:,} cases a run")
    print(f"  one process, {IN_FLIGHT} in flight     {one:7.2f} s a run")
    print(f"  two, {TIMES * IN_FLIGHT} in flight ({most} seen)  {two / 2:7.2f} s a run")
    print(f"  {faster:.2f} times as fast with {TIMES} times the calls in flight")


def side_by_side(runs: list[EvalRun]) -> float:
    """Seconds until a process for each run has completed it."""
    connections.close_all()
    began = time.perf_counter()
    processes = []
    for run in runs:
        process = os.fork()
        if process == 0:
            work_until_done(run.pk)
            os._exit(0)
        processes.append(process)
    for process in processes:
        assert os.waitpid(process, 0)[1] == 0
    took = time.perf_counter() - began
    for run in runs:
        check(run)
    return took


def peers() -> dict[str, list[str] | None]:
    python, phoenix, node = (os.environ.get(f"PEER_{name}") for name in ("PYTHON", "PHOENIX", "NODE"))
    return {
        "pydantic-evals": [python, str(PEERS / "asking_with_pydantic_evals.py")] if python else None,
        "promptfoo": ["node", str(PEERS / "asking_with_promptfoo.mjs"), node] if node else None,
        "Phoenix run_experiment": [phoenix, str(PEERS / "asking_with_phoenix.py")] if phoenix else None,
    }


def peer(command: list[str], port: int) -> tuple[float, float]:
    """Seconds and processor seconds of another tool, which must ask as many times and find the same."""
    given = {
        "address": f"http://127.0.0.1:{port}/v1",
        "in_flight": IN_FLIGHT,
        "instructions": INSTRUCTIONS,
        "questions": [question_of(number) for number in range(CASES)],
        "checks": CHECKS,
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.json"
        file.write_text(json.dumps(given))
        seen(port)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}"
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["passed"] == CASES, f"{found['passed']} passed instead of {CASES}"
    assert seen(port)["count"] == CASES
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found["seconds"], cpu
