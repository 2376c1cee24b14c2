"""A case that is opened and saved unchanged stays the same, to the last digit and line end, as fields and as JSON."""

import json
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings
from hypothesis import strategies as st

from core.reading_child import ReadingChild
from datasets.forms.case import CaseForm
from datasets.forms.case_lists import RowList
from datasets.forms.case_rows import RAW
from datasets.forms.check_fields import ASKED, FIELDS_OF, TYPES
from datasets.logic.checks import RULES
from datasets.logic.drafts import ORDER_MODES, CaseDraft
from datasets.logic.validation import read_case
from tests.datasets.sent_form import sent_by

LETTERS = st.characters(codec="utf-8", exclude_characters="\x00")
TEXT = st.text(LETTERS | st.sampled_from(" \n\r\"'<>&,.\\{}[]ż🫖"), min_size=1, max_size=12)
NUMBER = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT | st.just(""),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=5,
)
VISIBLE = TEXT.filter(lambda text: bool(text.strip()))
WHERE = {"path": VISIBLE}
HOW = {"path": VISIBLE, "case_sensitive": st.booleans()}
SCHEMA = st.sampled_from([True, {}, {"type": "object"}, {"const": 1.0}, {"enum": ["\r\n", 1e16, None]}])


def check(kind: str, needed: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({"type": st.just(kind), **needed}, optional=optional or {})


CHECK = st.one_of(
    *(check(kind, {"value": VISIBLE}, HOW) for kind in ("contains", "not_contains", "equals")),
    check("regex", {"value": st.sampled_from(["a", " ", "a|b\nc", "ż+"])}, HOW),
    check("json_schema", {"schema": SCHEMA}, WHERE),
    check("max_cost_usd", {"value": st.sampled_from([0, 1, 1.0, 0.05, 1e16, 1e-9, -0.0])}),
    check("max_latency_ms", {"value": st.integers(1, 2**60)}),
    check("length", {"unit": st.sampled_from(["characters", "words"]), "min": st.integers(0, 9)}, WHERE),
    check("judge", {"criterion": VISIBLE}),
)
CASES = st.fixed_dictionaries(
    {
        "input": VISIBLE,
        "reference_answer": VISIBLE,
        "counter_example": st.none() | VISIBLE,
        "note": st.none() | VISIBLE,
        "history": st.lists(
            st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": VISIBLE}), max_size=3
        ),
        "expected_tool_calls": st.lists(
            st.fixed_dictionaries({"tool": VISIBLE, "args": st.dictionaries(TEXT | st.just(""), JSON, max_size=3)}),
            max_size=3,
        ),
        "order_mode": st.sampled_from(ORDER_MODES),
        "checks": st.lists(CHECK, max_size=3),
        "tags": st.lists(VISIBLE.filter(lambda tag: "," not in tag), max_size=3),
    }
)


@pytest.fixture(scope="module")
def child() -> Any:
    with ReadingChild() as started:
        yield started


def page_of(form: CaseForm) -> str:
    return f'<form id="case-form">{render_to_string("datasets/form/_fields.html", {"form": form})}</form>'


def exactly(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.spec("DS-101", "DS-102", "DS-D25", "DS-D21")
@settings(max_examples=60, deadline=None)
@given(raw=CASES)
def test_a_case_sent_back_as_it_was_shown_is_the_same_case(child: ReadingChild, raw: dict[str, Any]) -> None:
    draft, problems = read_case(raw, child)
    assert draft is not None, problems
    form = CaseForm(sent_by(page_of(CaseForm(content=draft)), mode="fields"), content=draft)
    assert exactly(form.raw() and {**draft.as_dict(), **form.differing(draft)}) == exactly(draft.as_dict())
    assert not form.differs()


@pytest.mark.spec("DS-103", "DS-D27")
@settings(max_examples=60, deadline=None)
@given(raw=CASES)
def test_a_case_written_as_json_is_read_as_the_same_case(child: ReadingChild, raw: dict[str, Any]) -> None:
    draft, problems = read_case(raw, child)
    assert draft is not None, problems
    shown = CaseForm(content=draft)["case_json"].value()
    form = CaseForm(sent_by("", mode="json", case_json=shown.replace("\n", "\r\n")), content=draft)
    assert exactly(form.raw()) == exactly(draft.as_dict())
    assert not form.differs()


@pytest.mark.parametrize("kind", RULES)
def test_the_form_asks_for_every_parameter_of_a_check(kind: str) -> None:
    rule = RULES[kind]
    assert {ASKED[name].parameter for name in FIELDS_OF[kind]} == {*rule.needed, *rule.optional}
    assert list(TYPES) == list(RULES)


@pytest.mark.spec("DS-D25")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("expected_tool_calls", {"tool": "a", "args": {"": 1}}),
        ("expected_tool_calls", {"tool": "a\nb", "args": {}}),
        ("expected_tool_calls", {"tool": "a", "args": {f"x{number}": number for number in range(30)}}),
        ("checks", {"type": "contains", "value": "a\rb"}),
        ("checks", {"type": "of another time", "value": 1}),
    ],
)
def test_what_fields_cannot_carry_exactly_is_a_row_of_json(name: str, value: Any) -> None:
    (row,) = RowList.of(name, [value])
    assert json.loads(row.values[RAW]) == value


def test_twelve_as_text_and_twelve_as_a_number_stay_different() -> None:
    draft = CaseDraft(input="q", expected_tool_calls=({"tool": "find", "args": {"a": "12", "b": 12, "c": 12.0}},))
    kinds = [row.values["kind"] for row in CaseForm(content=draft).lists["expected_tool_calls"].rows[0].arguments]
    assert kinds == ["text", "json", "json"]
