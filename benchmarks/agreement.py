"""What agreement with the judge costs with ten thousand and with a hundred thousand decided answers (RV-D34)."""

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from benchmarks.measuring import analyse, median_and_queries
from benchmarks.people import owner
from core.ids import new_id
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from review.logic.judge_agreement import judge_agreement
from review.queries.agreement import calibration_of_judge, configurations_of, decided_answers
from review.queries.agreement_line import agreement_line
from scoring.logic.pins import Pin, pin_hash
from scoring.models import Score
from scoring.operations.settings import snapshot_of
from scoring.queries.scores import ScoreFilter

SMALL, LARGE = 10_000, 100_000
REPEATS = 9
CRITERIA = 6
PIN = Pin("built_in", None, 1, "openai", "judge-1", "c" * 64, 1, "i" * 64, 0.0)
WORDS = "The answer names the deadline of thirty days and says where it is counted from. "


def main() -> None:
    """Print milliseconds and queries for both sizes."""
    actor = owner()
    dataset = create_dataset(actor, name="Returns")
    case_id = add_case(
        actor, dataset_id=dataset.pk, draft=CaseDraft(input="Can I return it?", reference_answer="Yes.")
    ).revision.case_id
    dataset.refresh_from_db()
    print(f"database: {connection.vendor}; medians of {REPEATS} in ms; every answer is decided")
    _fill(dataset, case_id, SMALL)
    first = {what: median_and_queries(act, REPEATS) for what, act in _acts(actor, dataset).items()}
    _fill(dataset, case_id, LARGE - SMALL)
    second = {what: median_and_queries(act, REPEATS) for what, act in _acts(actor, dataset).items()}
    print(f"\n{'':34}{SMALL:>12,}{LARGE:>12,}{'queries':>9}")
    for what, (before, _few) in first.items():
        after, queries = second[what]
        print(f"{what:34}{before:12.1f}{after:12.1f}{queries:9}")


def _acts(actor: Actor, dataset: Dataset) -> dict[str, Callable[[], Any]]:
    return {
        "line above the table": lambda: agreement_line(actor, dataset, ScoreFilter()),
        "configurations": lambda: configurations_of(dataset.pk),
        "page: outcome and criteria": lambda: judge_agreement(decided_answers(dataset.pk, pin_hash(PIN))),
        "mark beside a gate": lambda: calibration_of_judge(dataset.pk, pin_hash(PIN)),
        "mark, of a judge never decided on": lambda: calibration_of_judge(dataset.pk, "0" * 64),
    }


def _fill(dataset: Dataset, case_id: Any, count: int) -> None:
    """Answers of some length with the findings of a rubric; one of ten decisions is another than the outcome."""
    now, snapshot = timezone.now(), snapshot_of(dataset)
    judged: Any = {"pin": PIN.as_json(), "pin_hash": pin_hash(PIN), "answer": WORDS * 12}
    whole = Score(
        organisation_id=dataset.organisation_id, dataset=dataset, case_id=case_id, version=1, snapshot=snapshot,
        origin="eval", has_agent=False, state="done", **judged,
    )  # fmt: skip
    rows = []
    for number in range(count):
        one = copy.copy(whole)
        one.pk, one.outcome = new_id(), "fail" if number % 3 == 0 else "pass"
        one.decided = {"fail": "pass", "pass": "fail"}[one.outcome] if number % 10 == 0 else one.outcome
        one.results = _results(one.outcome)
        one.created_at = now - timedelta(seconds=count - number)
        rows.append(one)
        if len(rows) == 1_000 or number == count - 1:
            Score.objects.bulk_create(rows)
            rows = []
    analyse()


def _results(verdict: str) -> list[dict[str, Any]]:
    quotes = [{"text": WORDS, "verified": True}]
    findings = [
        {"id": f"c-{place}", "origin": "criterion", "verdict": verdict, "name": f"Criterion {place}", "grade": 4,
         "about": {"criterion": WORDS}, "reason": WORDS * 2, "quotes": quotes}
        for place in range(CRITERIA)
    ]  # fmt: skip
    state = {"state": verdict, "number": 0.5, "why": None}
    return [{"evaluator": "judge", "must_pass": True, **state, "findings": findings}]
