"""How many answers a second the rules grade: in memory, beside a bare loop and other tools, and with scores stored.

The tools are measured where their environments are named: `PEER_PYTHON` is a Python that has what
benchmarks/peers/requirements.txt lists, `PEER_NODE` a folder in which `npm install` ran with the package.json there.
"""

import json
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import regex
from django.db import connection, transaction
from jsonschema import Draft202012Validator

from benchmarks.people import owner
from datasets.models import CaseRevision
from datasets.operations.datasets import create_dataset
from datasets.operations.imports import import_file
from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import Check, CheckRunner, grade_checks_of_many
from scoring.logic.findings import Origin, Verdict
from scoring.models import Score, ScoreOrigin, ScoreState
from scoring.operations.grading import grade_scores
from scoring.operations.scores import AnswerToGrade, lock_to_score, open_scores
from scoring.operations.settings import change_scoring, snapshot_of

ANSWERS, PEER_ANSWERS, ROUNDS = 10_000, 2_000, 5
PEERS = Path(__file__).with_name("peers")
SCHEMA = {
    "type": "object",
    "required": ["answer", "order"],
    "properties": {
        "answer": {"type": "string", "minLength": 1},
        "order": {"type": "integer"},
        "days": {"type": "integer", "minimum": 1},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "price"],
                "properties": {"name": {"type": "string"}, "price": {"type": "number", "minimum": 0}},
            },
        },
    },
}
CHECKS: list[dict[str, Any]] = [
    {"type": "contains", "value": "Kettle"},
    {"type": "not_contains", "value": "sorry"},
    {"type": "regex", "value": r"\b\d{1,3} days\b"},
    {"type": "json_schema", "schema": SCHEMA},
    {"type": "length", "unit": "words", "max": 80},
]


def main() -> None:
    """Print every figure."""
    answers = [answer_of(random.Random(number), number) for number in range(ANSWERS)]
    print(f"{ANSWERS:,} answers of {len(answers[0])} characters under five checks each; the best of {ROUNDS} rounds")
    ours, passed = measured(answers)
    least, passed_bare = timed(lambda: bare(answers))
    assert passed == passed_bare
    print(f"  Casebook's rules            {ours:10,.0f} answers a second")
    print(f"  a bare loop of the same     {least:10,.0f}   ratio {ours / least:5.2f}   (at least 0.25)")
    expected = bare(answers[:PEER_ANSWERS])
    for name, command in peers().items():
        rate = peer(command, answers[:PEER_ANSWERS], expected)
        found = f"{rate:10,.0f}   ratio {ours / rate:5.1f}   (at least 5)" if rate else "not installed"
        print(f"  {name:28}{found}")
    stored = measure_stored(answers)
    print(
        f"  with scores, {connection.vendor:15}{stored:10,.0f}   ratio {stored / least:5.2f}   "
        f"(at least 0.2 of the bare loop; {stored / ours:.2f} of the rules in memory)"
    )


def answer_of(dice: random.Random, number: int) -> str:
    """What a model answers that was asked for JSON; one in ten breaks each check."""
    words = "order return refund kettle invoice window delivery address account password warranty spare part".split()
    said = " ".join(dice.choices(words, k=60)) + (f" within {dice.randint(1, 99)} days" if number % 10 else "")
    items = [{"name": "kettle", "price": round(dice.random() * 100, 2)} for _ in range(3)]
    answer = {"answer": said, "order": number if number % 10 != 1 else "?", "days": 30, "items": items}
    return json.dumps(answer) + (" sorry" if number % 10 == 2 else "")


def measured(answers: list[str]) -> tuple[float, int]:
    checks: list[Check] = [(f"default-{place}", Origin.DEFAULT_CHECK, one) for place, one in enumerate(CHECKS, 1)]
    items = [(GradedAnswer(answer), checks) for answer in answers]
    with CheckRunner() as runner:
        grade_checks_of_many(runner, items[:1])
        return timed(
            lambda: sum(
                finding.verdict is Verdict.PASS
                for findings in grade_checks_of_many(runner, items)
                for finding in findings
            )
        )


def timed(act: Callable[[], int]) -> tuple[float, int]:
    """Answers a second, and how many checks passed."""
    times = []
    for _round in range(ROUNDS):
        began = time.perf_counter()
        passed = act()
        times.append(time.perf_counter() - began)
    return ANSWERS / min(times), passed


def bare(answers: list[str]) -> int:
    """The same five rules with nothing around them: no reasons, no bounds, no process of their own."""
    contains, contains_not, pattern, _schema, length = CHECKS
    wanted, unwanted = contains["value"].casefold(), contains_not["value"].casefold()
    search, valid = regex.compile(pattern["value"], regex.IGNORECASE).search, Draft202012Validator(SCHEMA).is_valid
    passed = 0
    for answer in answers:
        folded = answer.casefold()
        passed += wanted in folded
        passed += unwanted not in folded
        passed += search(answer) is not None
        try:
            passed += valid(json.loads(answer))
        except ValueError:
            passed += 0
        passed += len(answer.split()) <= length["max"]
    return passed


def peers() -> dict[str, list[str] | None]:
    python, node = os.environ.get("PEER_PYTHON"), os.environ.get("PEER_NODE")
    return {
        "pydantic-evals": [python, str(PEERS / "with_pydantic_evals.py"), "FILE"] if python else None,
        "promptfoo": ["node", str(PEERS / "with_promptfoo.mjs"), "FILE", node] if node else None,
    }


def peer(command: list[str] | None, answers: list[str], expected: int) -> float | None:
    """Answers a second of another tool, which must find the same; None where it is not installed."""
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.json"
        file.write_text(json.dumps({"answers": answers, "checks": CHECKS}))
        best = 0.0
        for _round in range(2):
            done = subprocess.run(  # noqa: S603 - our own programs
                [str(file) if part == "FILE" else part for part in command],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                check=True,
            )
            found = json.loads(done.stdout.strip().splitlines()[-1])
            assert found["passed"] == expected, f"{found['passed']} passed instead of {expected}"
            best = max(best, found["rate"])
    return best


def measure_stored(answers: list[str]) -> float:
    """Scores a second that wait in the database, are graded there and stored with all that was found."""
    actor = owner()
    dataset = create_dataset(actor, name="Graded")
    lines = "\n".join(
        json.dumps({"input": f"Question {number}?", "reference_answer": "Yes."}) for number in range(len(answers))
    )
    import_file(actor, dataset_id=dataset.pk, name="cases.jsonl", data=lines.encode())
    change_scoring(actor, dataset_id=dataset.pk, changes={"checks": {"defaults": CHECKS}})
    cases = list(CaseRevision.objects.newest(dataset).values_list("case_id", flat=True))
    rates = []
    for _round in range(3):
        with transaction.atomic():
            locked = lock_to_score(actor, dataset.pk)
            ids = open_scores(
                actor,
                dataset=locked,
                version=locked.newest_version,
                snapshot=snapshot_of(locked),
                origin=ScoreOrigin.STORED,
                answers=[
                    AnswerToGrade(case_id=case, answer=GradedAnswer(answer), has_agent=False)
                    for case, answer in zip(cases, answers, strict=True)
                ],
            )
        began = time.perf_counter()
        grade_scores(ids)
        rates.append(len(answers) / (time.perf_counter() - began))
        assert Score.objects.filter(dataset=dataset, state=ScoreState.WAITING).count() == 0
    return max(rates)
