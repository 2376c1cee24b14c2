"""Rows of an export, and the files of CSV and JSONL."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.export_rows import COLUMNS, ExportRow, csv_lines, jsonl_lines, money

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


def row(**values: Any) -> ExportRow:
    return ExportRow(**{"eval_run": "r", "case_id": "c", "case_revision": 2, "number": 1, "kind": "first", **values})


FULL = row(
    tags=("smoke", "refunds"), outcome="fail", final_outcome="pass", change="improved", score=0.5,
    evaluators={"checks": (1.0, "pass"), "judge": (None, "no_verdict")}, reasons=("Too long", "No greeting"),
    input="How?", answer='Like "this",\nand so', tool_calls=({"tool": "find", "arguments": {"id": 5}},),
    cost=Decimal("0.00001200"), judge_cost=Decimal(0), seconds=1.2344, agent="Desk", agent_version=3,
    model="answers-1", judge_model="judges-1",
)  # fmt: skip


@pytest.mark.spec("EV-D58")
def test_columns_are_those_of_the_specification() -> None:
    named = (
        "eval_run case_id case_revision tags attempt kind outcome final_outcome change score checks_number "
        "checks_verdict tool_calls_number tool_calls_verdict judge_number judge_verdict reference_answer_number "
        "reference_answer_verdict reasons input answer tool_calls cost_usd judge_cost_usd latency_ms agent "
        "agent_version model judge_model error"
    )
    assert list(COLUMNS) == named.split()
    assert list(FULL.values()) == list(COLUMNS)


@pytest.mark.spec("EV-D57", "EV-D58")
def test_a_line_of_jsonl_holds_every_column() -> None:
    lines = list(jsonl_lines([FULL, row()]))
    first, second = map(json.loads, lines)
    assert first == FULL.values()
    assert (first["cost_usd"], first["judge_cost_usd"], first["latency_ms"]) == ("0.000012", "0", 1234)
    assert (first["judge_number"], first["judge_verdict"], first["checks_number"]) == (None, "no_verdict", 1.0)
    assert list(second) == list(COLUMNS)
    assert (second["answer"], second["cost_usd"], second["tool_calls"]) == (None, None, None)


@pytest.mark.spec("EV-D57")
def test_a_row_of_csv_is_read_back() -> None:
    text = "".join(csv_lines([FULL, row()]))
    first, second = csv.DictReader(io.StringIO(text, newline=""))
    assert first["answer"] == FULL.answer
    assert first["tags"] == "smoke,refunds"
    assert first["reasons"] == "Too long\nNo greeting"
    assert json.loads(first["tool_calls"]) == [{"tool": "find", "arguments": {"id": 5}}]
    assert (first["case_revision"], first["score"], first["agent_version"]) == ("2", "0.5", "3")
    assert {name for name, value in second.items() if value} == {
        "eval_run",
        "case_id",
        "case_revision",
        "attempt",
        "kind",
    }


@pytest.mark.spec("EV-D59")
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "'"])
@pytest.mark.parametrize("field", ["input", "answer", "error", "agent", "model"])
def test_a_cell_that_a_spreadsheet_would_run_gets_a_mark(sign: str, field: str) -> None:
    text = "".join(csv_lines([row(**{field: f"{sign}cmd|' /C calc'!A0"})]))
    found = next(csv.DictReader(io.StringIO(text, newline="")))
    assert found[field].startswith(f"'{sign}")


@pytest.mark.spec("EV-D59")
@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3))
def test_no_text_breaks_out_of_its_cell(asked: str, answer: str, reasons: list[str]) -> None:
    text = "".join(csv_lines([row(input=asked, answer=answer, reasons=reasons), row()]))
    records = list(csv.reader(io.StringIO(text, newline="")))
    assert [len(record) for record in records] == [len(COLUMNS)] * 3
    for cell in records[1]:
        assert not cell.startswith(("=", "+", "-", "@"))
    assert records[1][COLUMNS.index("answer")] in (answer, f"'{answer}")


@given(st.decimals(0, 10**8, places=10))
def test_money_keeps_every_digit_and_has_no_exponent(amount: Decimal) -> None:
    text = money(amount)
    assert text is not None
    assert Decimal(text) == amount
    assert "E" not in text
