"""The table of tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.classes import ChangeClass
from evals.logic.results import Tally
from evals.logic.tags import TaggedCase, TagRow, tag_rows

CASES = st.lists(
    st.builds(
        TaggedCase,
        st.lists(st.sampled_from(["a", "A", "b", "ż"]), max_size=3).map(tuple),
        st.sampled_from(["pass", "fail", "unscored"]),
        st.none() | st.sampled_from(ChangeClass),
    )
)


@pytest.mark.spec("EV-D37", "EV-12")
def test_a_case_counts_in_each_of_its_tags_and_untagged_is_a_row() -> None:
    rows = tag_rows(
        [
            TaggedCase(("refunds", "smoke"), "pass", ChangeClass.IMPROVED),
            TaggedCase(("Refunds",), "fail", ChangeClass.REGRESSED),
            TaggedCase((), "unscored", ChangeClass.NOT_COMPARABLE),
            TaggedCase(("smoke",), "pass"),
        ]
    )
    assert rows == [
        TagRow("refunds", Tally(1, 1, 0), regressed=1, improved=1),
        TagRow("smoke", Tally(2, 0, 0), improved=1),
        TagRow(None, Tally(0, 0, 1)),
    ]


@pytest.mark.spec("EV-D37")
def test_rows_are_in_order_of_regressed_then_rate_then_name() -> None:
    cases = [
        TaggedCase(("none graded",), "unscored"),
        TaggedCase(("good", "also good"), "pass"),
        TaggedCase(("bad",), "fail"),
        TaggedCase((), "pass"),
        TaggedCase(("one",), "fail", ChangeClass.REGRESSED),
        *[TaggedCase(("two",), "fail", ChangeClass.REGRESSED)] * 2,
    ]
    assert [row.tag for row in tag_rows(cases)] == ["two", "one", "bad", "also good", "good", None, "none graded"]


@given(CASES)
def test_every_case_is_in_a_row_for_each_of_its_tags_once(cases: list[TaggedCase]) -> None:
    rows = tag_rows(cases)
    assert sum(row.cases.cases for row in rows) == sum(
        len({tag.casefold() for tag in case.tags}) or 1 for case in cases
    )
    assert len({row.tag and row.tag.casefold() for row in rows}) == len(rows)
    assert [row.regressed for row in rows] == sorted((row.regressed for row in rows), reverse=True)


def test_no_case_makes_no_row() -> None:
    assert tag_rows([]) == []
