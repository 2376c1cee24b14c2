"""The columns of an export of graded answers, and its files as CSV and JSONL (RV-D44)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.json_values import compact
from datasets.logic.file_writers import text_cell
from evals.logic.export_rows import cell_of
from scoring.logic.findings import Evaluator

EVALUATOR_COLUMNS = tuple(f"{one.value}_{what}" for one in Evaluator for what in ("number", "verdict"))
COLUMNS = (
    "score_id", "case_id", "version", "tags", "question", "agent", "agent_version", "model", "origin", "eval_run",
    "answer_set", "outcome", "automatic_outcome", "review", "decided_at", "note", "score", *EVALUATOR_COLUMNS,
    "reasons", "answer", "tool_calls", "cost_usd", "judge_cost_usd", "latency_ms", "judge_model", "created_at",
    "graded_at",
)  # fmt: skip
Row = Mapping[str, Any]


def csv_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The header and a row an answer, each with its line end; no cell is one that a spreadsheet runs."""
    yield ",".join(COLUMNS) + "\r\n"
    for row in rows:
        yield ",".join(text_cell(cell_of(name, row[name])) for name in COLUMNS) + "\r\n"


def jsonl_lines(rows: Iterable[Row]) -> Iterator[str]:
    """A line an answer, always with every column."""
    for row in rows:
        yield compact({name: row[name] for name in COLUMNS}) + "\n"
