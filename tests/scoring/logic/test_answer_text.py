"""An answer as rules read it: in which form, how much of it, and at which path (SC-78, SC-D24 to SC-D27)."""

from typing import Any

import pytest

from scoring.logic import answer_text
from scoring.logic.answer_text import AnswerText, composed, folded
from scoring.logic.json_answers import Number, Unread

LIMIT = 100_000
E_ACUTE, E_AND_ACCENT = "Caf\u00c9", "CafE\u0301"


@pytest.mark.spec("SC-D27")
def test_a_text_is_compared_in_one_form_of_its_accents_and_where_asked_without_letter_case() -> None:
    assert composed(E_AND_ACCENT) == E_ACUTE
    assert composed("CaF") == "CaF"
    assert folded(E_AND_ACCENT) == folded(E_ACUTE) == "caf\u00e9"
    assert folded("Straße AND") == "strasse and"
    assert folded("ABC") == "abc"
    # Folding takes this letter apart, and its parts are put together again.
    assert folded("\u01f0x") == "\u01f0x"
    # What folding makes of an accent written apart depends on its being put together before.
    assert folded("\u0399\u0308\u0301") == "\u0390"


@pytest.mark.spec("SC-78", "SC-D25")
def test_rules_read_the_first_hundred_thousand_characters_and_the_whole_is_kept_beside_them() -> None:
    long = AnswerText("É" + "x" * LIMIT)
    assert long.is_cut
    assert (len(long.plain), len(long.composed), len(long.folded), len(long.whole)) == (LIMIT, LIMIT, LIMIT, LIMIT + 1)
    assert (long.composed[:2], long.folded[:2]) == ("Éx", "éx")
    fits = AnswerText("x" * LIMIT)
    assert (fits.is_cut, fits.plain) == (False, fits.whole)


@pytest.mark.spec("SC-74", "SC-D24")
def test_at_a_path_a_rule_reads_the_text_of_the_value_there() -> None:
    text = AnswerText('{"a": {"b": ["É", 1.50]}}')
    found = text.at(("a", "b", "0"), "a.b.0")
    assert isinstance(found, AnswerText)
    assert (found.plain, found.folded) == ("É", "é")
    assert text.at(("a",), "a").plain == '{"b":["É",1.50]}'  # type: ignore[union-attr]
    assert text.at((), "") is text
    assert text.value(("a", "b", "1"), "a.b.1") == Number("1.50")
    assert text.value((), "") == {"a": {"b": ["É", Number("1.50")]}}


@pytest.mark.spec("SC-D25")
def test_what_is_not_there_or_no_json_is_said() -> None:
    for nothing in (AnswerText('{"a": 1}').at(("x",), "x"), AnswerText('{"a": 1}').value(("x",), "x")):
        assert isinstance(nothing, Unread)
        assert (nothing.why.in_english, nothing.is_error) == ("The answer has nothing at x", False)
    for unread in (AnswerText("Hello").at(("x",), "x"), AnswerText("Hello").value(("x",), "x")):
        assert isinstance(unread, Unread)
        assert unread.why.in_english == "The answer is not JSON: line 1, column 1"
    null = AnswerText("null")
    assert null.value((), "") is None
    assert null.json is None


def test_each_way_of_reading_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def watch(name: str) -> None:
        original = getattr(answer_text, name)

        def watched(*args: Any) -> Any:
            made.append(name)
            return original(*args)

        monkeypatch.setattr(answer_text, name, watched)

    for name in ("composed", "folded", "read_answer", "value_at"):
        watch(name)
    text = AnswerText('{"a": "É"}')
    for _twice in range(2):
        assert text.composed
        assert text.folded
        assert text.at(("a",), "a") is text.at(("a",), "a")
    assert sorted(made) == ["composed", "folded", "read_answer", "value_at"]
