"""Settings: how a dataset's answers are graded, read from their stored form (SC-D16)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scoring.logic.findings import Evaluator

Json = dict[str, Any]

# What holds until somebody saves something else, and the shape of the whole.
DEFAULTS: Mapping[str, Any] = {
    "checks": {"enabled": True, "must_pass": True, "defaults": []},
    "tool_calls": {"enabled": True, "must_pass": True},
    "judge": {
        "enabled": False,
        "must_pass": True,
        "agent": None,
        "model": None,
        "instructions": "",
        "criteria": [],
        "scale": 5,
        "pass_at": 4,
    },
    "reference_answer": {"enabled": False, "must_pass": True},
    "review_by_person": "none",
}
REVIEW_BY_PERSON = ("none", "not_passed", "all")
COUNTER_EXAMPLE = "counter-example"
REFERENCE_ANSWER = "reference-answer"
RESERVED_NAMES = (COUNTER_EXAMPLE, REFERENCE_ANSWER)


@dataclass(frozen=True)
class Criterion:
    """One named criterion of the rubric; one that is not required only moves the number (SC-D12)."""

    id: str
    name: str
    criterion: str
    required: bool = True

    def as_json(self) -> Json:
        return {"id": self.id, "name": self.name, "criterion": self.criterion, "required": self.required}


@dataclass(frozen=True)
class Settings:
    """The stored settings, typed. `judge_agent` and `judge_model` are ids, None where none is chosen (SC-D1)."""

    on: frozenset[Evaluator]
    must_pass: frozenset[Evaluator]
    default_checks: tuple[Json, ...]
    criteria: tuple[Criterion, ...]
    judge_agent: str | None
    judge_model: str | None
    instructions: str
    scale: int
    pass_at: int
    review_by_person: str

    @property
    def asks_judge(self) -> bool:
        """Whether anything that needs the judge is on; `judge` checks of cases wait for that (SC-D11)."""
        return bool(self.on & {Evaluator.JUDGE, Evaluator.REFERENCE_ANSWER})

    @property
    def lacks_model(self) -> bool:
        """Whether the judge is asked and neither a model nor a judge agent, which brings one, is chosen."""
        return self.asks_judge and self.judge_agent is None and self.judge_model is None

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        """From the shape of `DEFAULTS`, complete and valid as it is stored."""
        judge = stored["judge"]
        return cls(
            on=frozenset(one for one in Evaluator if stored[one.value]["enabled"]),
            must_pass=frozenset(one for one in Evaluator if stored[one.value]["must_pass"]),
            default_checks=tuple(stored["checks"]["defaults"]),
            criteria=tuple(Criterion(**criterion) for criterion in judge["criteria"]),
            judge_agent=judge["agent"],
            judge_model=judge["model"],
            instructions=judge["instructions"],
            scale=judge["scale"],
            pass_at=judge["pass_at"],
            review_by_person=stored["review_by_person"],
        )
