"""The demonstration's conversations as an integrator would send them: one body of `POST /api/v1/runs` for each run.

A line of a file is a conversation that happened `times` times: its questions in several wordings, the tool calls of
each answer, its words, how it was rated, and how it ended where it did not complete.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

DAYS = 30
CITIES = ("Leipzig", "Lyon", "Gdańsk", "Utrecht", "Bilbao", "Graz", "Porto", "Brno", "Ghent", "Turku")
# USD per million tokens, read and written.
PRICES = (2.0, 8.0)


@dataclass
class Told:
    """One conversation while it is told: who asks, its numbers, when it goes on."""

    source: Mapping[str, str]
    place: int
    copy: int
    at: datetime
    dice: random.Random
    earlier_tokens: int = 0
    values: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        number = 31_000 + self.place * 37
        day = self.at + timedelta(days=1)
        self.values = {
            "order": f"{self.source['numbers']}{number}",
            "number": str(number % 10_000),
            "city": CITIES[self.place % len(CITIES)],
            "tomorrow": f"{day:%A}",
            "person": f"{self.source['people']}{1000 + self.place * 7 % 389}",
        }

    def filled(self, value: Any) -> Any:
        """The value with its numbers and names in place of `{order}` and the others."""
        text = json.dumps(value, ensure_ascii=False)
        for name, word in self.values.items():
            text = text.replace(f"{{{name}}}", word)
        return json.loads(text)

    def chosen(self, wordings: Any) -> str:
        """The wording of this copy."""
        if isinstance(wordings, str):
            return str(self.filled(wordings))
        return str(self.filled(wordings[self.copy % len(wordings)]))


def read_sources(folder: Path) -> list[tuple[dict[str, str], list[dict[str, Any]]]]:
    """Each source with its lines: which agent, which model, how people and orders are numbered."""
    sources = json.loads((folder / "index.json").read_text())
    return [(source, _lines(folder / f"{source['file']}.jsonl")) for source in sources]


def sent_runs(
    source: Mapping[str, str], lines: Sequence[Mapping[str, Any]], *, agent_id: str, now: datetime
) -> Iterator[dict[str, Any]]:
    """The runs in order of time, over the last 30 days; the same for the same day."""
    dice = random.Random(source["file"])  # noqa: S311  (nothing secret: the same demonstration everywhere)
    copies = [(line, copy) for line in lines for copy in range(line["times"])]
    dice.shuffle(copies)
    for place, (line, copy) in enumerate(copies):
        share = (place + dice.random() * 0.8) / len(copies)
        told = Told(source, place, copy, now - timedelta(days=DAYS) * (1 - share) - timedelta(minutes=20), dice)
        for turn, asked in enumerate(line["turns"]):
            yield _run(told, asked, agent_id, f"{source['file']}-{place}", turn)


def _run(told: Told, turn: Mapping[str, Any], agent_id: str, name: str, number: int) -> dict[str, Any]:
    question = told.chosen(turn["ask"])
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    told.earlier_tokens += len(question) // 3
    for place, call in enumerate(turn.get("calls", ())):
        messages += _called(told, call, f"call_{number}_{place}")
    if "say" in turn:
        messages.append({"role": "assistant", "content": told.chosen(turn["say"]), **_measures(told, turn["say"])})
    seconds = sum(message.get("seconds", 0) for message in messages)
    end = turn.get("end", {"status": "completed"})
    began = told.at
    finished = began + timedelta(seconds=60 if end["status"] == "timed_out" else seconds or 0.4)
    told.at = finished + timedelta(seconds=told.dice.randint(15, 240))
    return {
        "agent": agent_id,
        "version": 1,
        "conversation": name,
        "person": told.values["person"],
        "messages": messages,
        "model": told.source["model"],
        "started_at": began.isoformat(),
        "finished_at": finished.isoformat(),
        "idempotency_key": f"demonstration-{name}-{number}",
        **end,
        **_rated(told, turn),
    }


def _called(told: Told, call: Sequence[Any], call_id: str) -> list[dict[str, Any]]:
    name, arguments, result = call[0], told.filled(call[1]), told.filled(call[2])
    outcome = call[3] if len(call) > 3 else "ok"
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    asked = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }
    text = json.dumps(result, ensure_ascii=False)
    took = round(told.dice.uniform(0.08, 0.9), 2)
    answered = {"role": "tool", "tool_call_id": call_id, "content": text, "outcome": outcome, "seconds": took}
    return [asked | _measures(told, function["arguments"]), answered]


def _measures(told: Told, written: Any) -> dict[str, Any]:
    """What a step took, as it might: instructions and tools are read from the cache after the first step."""
    output = max(12, len(told.chosen(written)) // 4)
    read = 6_300 + told.earlier_tokens
    cached = 3_072 if told.earlier_tokens > len(told.source["file"]) * 3 else 0
    told.earlier_tokens += output + told.dice.randint(20, 90)
    cost = ((read - cached * 0.75) * PRICES[0] + output * PRICES[1]) / 1_000_000
    return {
        "model": told.source["model"],
        "input_tokens": read,
        "cached_tokens": cached,
        "output_tokens": output,
        "cost": round(cost, 6),
        "seconds": round(told.dice.uniform(0.5, 1.4) + output * 0.011, 2),
    }


def _rated(told: Told, turn: Mapping[str, Any]) -> dict[str, Any]:
    rate = turn.get("rate")
    if not rate or told.copy % rate["of"] != rate.get("at", 0):
        return {}
    return {"feedback": {"rating": rate["rating"], "comment": rate["comment"]}}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
