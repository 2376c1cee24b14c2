"""ExportRow: an attempt as a file holds it, and the files of CSV and JSONL (EV-D57 to EV-D59)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from core.json_values import compact
from datasets.logic.file_writers import text_cell
from scoring.logic.findings import Evaluator

FIRST_COLUMNS = (
    "eval_run", "case_id", "case_revision", "tags", "attempt", "kind", "outcome", "final_outcome", "change", "score",
)  # fmt: skip
LAST_COLUMNS = (
    "reasons", "input", "answer", "tool_calls", "cost_usd", "judge_cost_usd", "latency_ms", "agent", "agent_version",
    "model", "judge_model", "error",
)  # fmt: skip
EVALUATOR_COLUMNS = tuple(f"{one.value}_{what}" for one in Evaluator for what in ("number", "verdict"))
COLUMNS = (*FIRST_COLUMNS, *EVALUATOR_COLUMNS, *LAST_COLUMNS)


@dataclass(frozen=True)
class ExportRow:
    """One attempt, as the reader of the file may see it: what they may not read is None or empty (EV-D59).

    `evaluators` has the number and the state of each evaluator that graded. `score` is the mean of their numbers, and
    `number` counts the attempts of the case from 1. Money is in USD; `seconds` become milliseconds in the file.
    `reasons` are in words.
    """

    eval_run: str
    case_id: str
    case_revision: int
    number: int
    kind: str
    tags: Sequence[str] = ()
    outcome: str = ""
    final_outcome: str = ""
    change: str = ""
    score: float | None = None
    evaluators: Mapping[str, tuple[float | None, str]] = field(default_factory=dict)
    reasons: Sequence[str] = ()
    input: str | None = None
    answer: str | None = None
    tool_calls: Sequence[Mapping[str, Any]] | None = None
    cost: Decimal | None = None
    judge_cost: Decimal | None = None
    seconds: float | None = None
    agent: str = ""
    agent_version: int | None = None
    model: str = ""
    judge_model: str = ""
    error: str = ""

    def values(self) -> dict[str, Any]:
        """Its values by column; money as text, so that no reader loses a digit."""
        found: dict[str, Any] = {
            "eval_run": self.eval_run,
            "case_id": self.case_id,
            "case_revision": self.case_revision,
            "tags": list(self.tags),
            "attempt": self.number,
            "kind": self.kind,
            "outcome": self.outcome,
            "final_outcome": self.final_outcome,
            "change": self.change,
            "score": self.score,
        }
        for one in Evaluator:
            found[f"{one.value}_number"], found[f"{one.value}_verdict"] = self.evaluators.get(one.value, (None, ""))
        return found | {
            "reasons": list(self.reasons),
            "input": self.input,
            "answer": self.answer,
            "tool_calls": None if self.tool_calls is None else [dict(call) for call in self.tool_calls],
            "cost_usd": money(self.cost),
            "judge_cost_usd": money(self.judge_cost),
            "latency_ms": None if self.seconds is None else round(self.seconds * 1000),
            "agent": self.agent,
            "agent_version": self.agent_version,
            "model": self.model,
            "judge_model": self.judge_model,
            "error": self.error,
        }


def csv_lines(rows: Iterable[ExportRow]) -> Iterator[str]:
    """The header and a row an attempt, each with its line end; no cell is one that a spreadsheet runs (EV-D59)."""
    yield ",".join(COLUMNS) + "\r\n"
    for row in rows:
        yield ",".join(text_cell(cell_of(name, value)) for name, value in row.values().items()) + "\r\n"


def jsonl_lines(rows: Iterable[ExportRow]) -> Iterator[str]:
    """A line an attempt, always with every column."""
    for row in rows:
        yield compact(row.values()) + "\n"


def money(amount: Decimal | None) -> str | None:
    """An amount as text, never with an exponent and without digits that say nothing."""
    if amount is None:
        return None
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def cell_of(name: str, value: Any) -> str:
    """The value of a column as a cell of CSV, before it is quoted."""
    if value is None:
        return ""
    if name == "tags":
        return ",".join(value)
    if name == "reasons":
        return "\n".join(value)
    return value if isinstance(value, str) else compact(value)
