"""Asks a provider for the cases of a file with pydantic-evals and grades the answers; prints seconds."""

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from openai import AsyncOpenAI
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Contains, Evaluator, EvaluatorContext


@dataclass
class Words(Evaluator):
    """The answer has at most so many words."""

    most: int

    def evaluate(self, ctx: EvaluatorContext) -> bool:
        return len(ctx.output.split()) <= self.most


async def main() -> None:
    given = json.loads(Path(sys.argv[1]).read_text())
    contains, length = given["checks"]
    client = AsyncOpenAI(base_url=given["address"], api_key="bench", max_retries=0)

    async def ask(question: str) -> str:
        messages = [{"role": "system", "content": given["instructions"]}, {"role": "user", "content": question}]
        reply = await client.chat.completions.create(model="small-1", messages=messages)
        return reply.choices[0].message.content or ""

    cases = [Case(name=str(place), inputs=question) for place, question in enumerate(given["questions"])]
    evaluators = [Contains(contains["value"], case_sensitive=False), Words(length["max"])]
    dataset = Dataset(name="questions", cases=cases, evaluators=evaluators)
    began = time.perf_counter()
    report = await dataset.evaluate(ask, max_concurrency=given["in_flight"], progress=False)
    taken = time.perf_counter() - began
    passed = sum(all(result.value for result in case.assertions.values()) for case in report.cases)
    print(json.dumps({"seconds": taken, "passed": passed}))


asyncio.run(main())
