"""JUnit and Markdown of a test run."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown import markdown as rendered

from evals.logic.classes import ChangeCounts
from evals.logic.junit import JUnitCase, junit_lines, writable
from evals.logic.markdown_summary import RegressedCase, Summary, escaped, markdown
from evals.logic.results import Tally

CASES = [
    JUnitCase("1", "How long?", "pass", seconds=1.25),
    JUnitCase("2", "Why <b>not</b>?", "fail", ("Too long:\n5 > 3", 'No "greeting"')),
    JUnitCase("3", "", "unscored", ("Not answered", "401")),
    JUnitCase("4", "x" * 300, "unscored"),
]


def read(cases: list[JUnitCase], counts: Tally, suite: str = "Run") -> ElementTree.Element:
    return read_xml("".join(junit_lines(suite, cases, counts, 3.0)))


def read_xml(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text.encode())  # noqa: S314 - our own document


@pytest.mark.spec("EV-D57")
def test_junit_has_one_test_case_for_each_case() -> None:
    suite = read(CASES, Tally(1, 1, 2))[0]
    assert suite.attrib == {
        "name": "Run", "tests": "4", "failures": "1", "errors": "0", "skipped": "2", "time": "3.000",
    }  # fmt: skip
    passed, failed, unanswered, unscored = suite
    assert passed.attrib == {"classname": "Run", "name": "How long? [1]", "time": "1.250"}
    assert list(passed) == []
    assert (failed[0].tag, failed[0].attrib) == ("failure", {"message": "Too long: 5 > 3"})
    assert failed[0].text == 'Too long:\n5 > 3\nNo "greeting"'
    assert (unanswered[0].tag, unanswered[0].get("message"), unanswered.get("name")) == ("skipped", "Not answered", "3")
    assert (unscored[0].tag, unscored[0].get("message")) == ("skipped", "")
    assert len(unscored.attrib["name"]) < 130


@pytest.mark.spec("EV-D57")
@pytest.mark.parametrize("character", ["\x00", "\x08", "\x0b", "\x1b", "\ud800", "\ufffe", "\uffff"])
def test_what_xml_cannot_hold_is_replaced(character: str) -> None:
    suite = read([JUnitCase("1", f"a{character}b", "fail", (f"c{character}d",))], Tally(0, 1, 0), f"e{character}f")[0]
    assert (suite.get("name"), suite[0].get("name"), suite[0][0].text) == ("e\ufffdf", "a\ufffdb [1]", "c\ufffdd")


@pytest.mark.spec("EV-D57")
@given(st.text(st.characters()), st.text(st.characters()))
def test_every_text_makes_xml_that_is_read_back(name: str, reason: str) -> None:
    suite = read([JUnitCase("1", name, "fail", (reason,))], Tally(0, 1, 0), name)[0]
    text = suite[0][0].text or ""
    assert text == writable(reason).replace("\r\n", "\n").replace("\r", "\n")


def summary(**values: Any) -> Summary:
    return Summary(**{"name": "Nightly", "url": "https://casebook.example/evals/1", "cases": Tally(42, 8, 3), **values})


@pytest.mark.spec("EV-D57", "EV-D36", "EV-D45")
def test_summary_says_rate_change_classes_and_link() -> None:
    changes = ChangeCounts(improved=1, regressed=8, regressed_confirmed=6, unchanged=40, flaky=1, new=2, b=8, c=1)
    text = markdown(
        summary(before=Tally(49, 1, 3), changes=changes, regressed=[RegressedCase("How long?", ("Too long",), True)])
    )
    assert text == (
        "## Test run: Nightly\n\n"
        "Pass rate **84%** (71 to 92%), 42 of 50. Unscored: 3.\n\n"
        "Before: 98%, 49 of 50. "
        "Likely a real change, for the worse: 8 from pass to fail, 1 from fail to pass, p = 0.0391.\n\n"
        "| Improved | Regressed | Unchanged | Flaky | Not comparable |\n"
        "| ---: | ---: | ---: | ---: | ---: |\n"
        "| 1 | 8 | 40 | 1 | 2 |\n\n"
        "### Regressed cases\n\n"
        "- How long\\?\n  - Too long\n\n"
        "And 7 more.\n\n"
        "[Open the test run](<https://casebook.example/evals/1>)\n"
    )


@pytest.mark.spec("EV-D35")
def test_summary_of_nothing_graded_and_nothing_compared() -> None:
    text = markdown(summary(cases=Tally(0, 0, 4)))
    assert "No result: no case was graded. Unscored: 4." in text
    assert "Not compared with another run." in text
    assert "%" not in text


@pytest.mark.spec("EV-D43")
def test_summary_says_that_the_judges_differ() -> None:
    text = markdown(summary(before=Tally(1), changes=ChangeCounts(graded_differently=4)))
    assert "Graded differently" in text


@pytest.mark.spec("EV-D57")
def test_summary_names_ten_regressed_cases_and_how_many_more() -> None:
    cases = [RegressedCase(f"case {number}") for number in range(12)]
    text = markdown(summary(before=Tally(12), changes=ChangeCounts(regressed=12, b=12), regressed=cases))
    assert [line for line in text.splitlines() if line.startswith("- ")] == [f"- case {number}" for number in range(10)]
    assert "And 2 more." in text


@pytest.mark.spec("EV-D57")
@pytest.mark.parametrize(
    "text",
    ["# head", "- item", "+ item", "[a](javascript:x)", "`code`", "**bold**", "_thin_", "1. one", "line\n\n## other",
     "![x](y)", "{: .x }", "===", "> quoted"],
)  # fmt: skip
def test_what_somebody_wrote_is_shown_as_it_is(text: str) -> None:
    list_of_one = read_xml(rendered("- " + escaped(text), extensions=["extra"]))
    assert [element.tag for element in list_of_one.iter()] == ["ul", "li"]
    # Our renderer knows fewer of these backslashes than CommonMark, and leaves the others standing.
    assert "".join(list_of_one.itertext()).replace("\\", "").split() == text.split()


@pytest.mark.spec("EV-D57")
@pytest.mark.parametrize("text", ["<script>", "a | b", "&lt;", "~~gone~~", "https://x.example", "\\"])
def test_every_mark_of_markup_has_a_backslash(text: str) -> None:
    pairs = re.findall(r"\\([!-/:-@\[-`{-~])|([!-/:-@\[-`{-~])", escaped(text))
    assert [bare for _marked, bare in pairs if bare] == []
    assert "".join(marked for marked, _bare in pairs) == re.sub(r"[\w\s]", "", text)


@pytest.mark.spec("EV-D57")
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_text_leaves_its_line_or_mentions_anybody(text: str) -> None:
    found = escaped(text)
    assert len(found.splitlines()) <= 1
    assert found == "" or not found[0].isspace()
    assert not any(sign in found.replace("\\" + sign, "") for sign in "<>|`[]*_!&")
    assert escaped("ask @somebody in #12") == "ask \\@\u2060somebody in \\#\u206012"


def test_long_texts_are_shortened() -> None:
    assert len(escaped("x" * 5_000)) == 300
