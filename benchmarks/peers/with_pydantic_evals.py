"""Grades the answers of a file with pydantic-evals, in an environment that has it; prints answers a second."""

import json
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Contains, Evaluator, EvaluatorContext


@dataclass
class ContainsNot(Evaluator):
    """The answer does not contain the value."""

    value: str

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return self.value.casefold() not in ctx.output.casefold()


@dataclass
class Matches(Evaluator):
    """The pattern matches."""

    pattern: Any

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return self.pattern.search(ctx.output) is not None


@dataclass
class Valid(Evaluator):
    """The answer is JSON that is valid under the schema."""

    schema: Any

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        try:
            return self.schema.is_valid(json.loads(ctx.output))
        except ValueError:
            return False


@dataclass
class Words(Evaluator):
    """The answer has at most so many words."""

    most: int

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return len(ctx.output.split()) <= self.most


def main() -> None:
    given = json.loads(Path(sys.argv[1]).read_text())
    contains, contains_not, pattern, schema, length = given["checks"]
    evaluators = [
        Contains(contains["value"], case_sensitive=False),
        ContainsNot(contains_not["value"]),
        Matches(re.compile(pattern["value"], re.IGNORECASE)),
        Valid(Draft202012Validator(schema["schema"])),
        Words(length["max"]),
    ]
    cases = [Case(name=str(place), inputs=answer) for place, answer in enumerate(given["answers"])]
    dataset = Dataset(name="answers", cases=cases, evaluators=evaluators)
    began = time.perf_counter()
    report = dataset.evaluate_sync(lambda answer: answer, progress=False)
    taken = time.perf_counter() - began
    passed = sum(result.value for case in report.cases for result in case.assertions.values())
    print(json.dumps({"rate": len(cases) / taken, "passed": passed}))


main()
