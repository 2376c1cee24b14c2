"""Decided answers that a judge graded, laid down as rows for the tests of agreement."""

from copy import copy
from dataclasses import replace
from typing import Any

from core.ids import new_id
from scoring.logic.pins import Pin, pin_hash
from scoring.models import Score
from tests.evals.runs import EvalScene

PIN = Pin("built_in", None, 1, "openai", "judge-1", "c" * 64, 1, "i" * 64, 0)
OTHER_PIN = replace(PIN, model="judge-2")
Stored = dict[str, Any]


def finding(verdict: str, key: str = "c-1", origin: str = "criterion", name: str = "Deadline", **more: Any) -> Stored:
    return {"id": key, "origin": origin, "verdict": verdict, "name": name, **more}


def result(*findings: Stored, evaluator: str = "judge", must_pass: bool = True) -> Stored:
    return {
        "evaluator": evaluator, "must_pass": must_pass, "state": "pass", "number": None, "why": None,
        "findings": list(findings),
    }  # fmt: skip


def rule(verdict: str, *, must_pass: bool = True) -> Stored:
    """What a check of the case found."""
    found = finding(verdict, "check-1", "case_check", "contains")
    return result(found, evaluator="checks", must_pass=must_pass)


def decided_answer(
    scene: EvalScene, outcome: str, decided: str, *results: Stored, pin: Pin | None = PIN, **fields: Any
) -> Score:
    """An answer to the first case; without results, its one criterion said what the outcome says."""
    given = list(results) or [result(finding(outcome if outcome != "unscored" else "error"))]
    judged = {"pin": pin.as_json() if pin else None, "pin_hash": pin_hash(pin)}
    return scene.score(scene.revisions[0].case_id, outcome, decided=decided, results=given, **judged, **fields)


def decide_many(scene: EvalScene, counts: dict[tuple[str, str], int], **given: Any) -> None:
    """So many answers with each pair of outcome and decision."""
    for pair, count in counts.items():
        one = decided_answer(scene, *pair, **given)
        copies = [copy(one) for _number in range(count - 1)]
        for each in copies:
            each.pk = new_id()
        Score.objects.bulk_create(copies)
