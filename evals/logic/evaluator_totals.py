"""What each evaluator and each criterion made of the answers of a test run (EV-D38)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.logic.findings import Origin, State, Verdict

# What the dataset asks of every case. The checks and criteria of a case are its own, and the expected calls and the
# reference answer are what their evaluators say.
OF_THE_DATASET = (Origin.CRITERION, Origin.DEFAULT_CHECK, Origin.COUNTER_EXAMPLE)


@dataclass
class Totals:
    """`mean` is of the numbers of an evaluator, from 0 to 1, or of the grades of a criterion; None without any."""

    name: str
    passed: int = 0
    failed: int = 0
    no_verdict: int = 0
    not_applicable: int = 0
    number_sum: float = 0.0
    numbers: int = 0

    @property
    def mean(self) -> float | None:
        return self.number_sum / self.numbers if self.numbers else None

    def add_number(self, number: float | None) -> None:
        if number is not None:
            self.number_sum += number
            self.numbers += 1


@dataclass
class CriterionTotals(Totals):
    """`id` and `origin` are those of its findings."""

    id: str = ""
    origin: str = ""


@dataclass
class EvaluatorTotals(Totals):
    """`name` is the evaluator's key in the settings; `criteria` are in the order in which they were met."""

    criteria: dict[str, CriterionTotals] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "EvaluatorTotals":
        criteria = {key: CriterionTotals(**one) for key, one in stored["criteria"].items()}
        return cls(**{**stored, "criteria": criteria})


def evaluator_totals(scores: Iterable[Sequence[Mapping[str, Any]]]) -> list[EvaluatorTotals]:
    """Added up over the stored results of the first attempts' scores, in the order in which evaluators are met.

    Takes the results as they are stored, since reading twenty thousand of them into objects takes longer than adding.
    """
    found: dict[str, EvaluatorTotals] = {}
    for results in scores:
        for result in results:
            totals = found.setdefault(result["evaluator"], EvaluatorTotals(result["evaluator"]))
            _count_state(totals, result["state"])
            totals.add_number(result["number"])
            for finding in result["findings"]:
                if finding["origin"] in OF_THE_DATASET:
                    _count_finding(totals.criteria, finding)
    return list(found.values())


def _count_state(totals: EvaluatorTotals, state: str) -> None:
    if state == State.PASS:
        totals.passed += 1
    elif state == State.FAIL:
        totals.failed += 1
    elif state == State.NO_VERDICT:
        totals.no_verdict += 1
    else:
        totals.not_applicable += 1


def _count_finding(criteria: dict[str, CriterionTotals], finding: Mapping[str, Any]) -> None:
    totals = criteria.get(finding["id"])
    if totals is None:
        named = CriterionTotals(finding["name"], id=finding["id"], origin=finding["origin"])
        totals = criteria.setdefault(finding["id"], named)
    # Where the words of a case were removed, the name is gone with them; another score may still have it.
    totals.name = totals.name or finding["name"]
    if finding["verdict"] == Verdict.PASS:
        totals.passed += 1
    elif finding["verdict"] == Verdict.FAIL:
        totals.failed += 1
    else:
        totals.no_verdict += 1
    totals.add_number(finding.get("grade"))
