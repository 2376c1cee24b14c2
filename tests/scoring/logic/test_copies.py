"""The copy of an answer that a score keeps (SC-148, ACC-61)."""

import pytest

from core.json_values import compact
from core.limits import LIMITS
from datasets.logic.credentials import Hidden, hide
from scoring.logic import copies
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.copies import READ, call_as_json, calls_of_json, copy_of

KEPT = LIMITS.score_answer_characters
KEY = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
HIDDEN = "[redacted:stripe_key]"


@pytest.mark.spec("SC-148")
@pytest.mark.parametrize(("length", "was_cut"), [(0, False), (KEPT, False), (KEPT + 1, True), (READ + 1, True)])
def test_the_first_eight_thousand_characters_are_kept_and_said_to_be_cut(length: int, was_cut: bool) -> None:
    text = ("word " * (length // 5 + 1))[:length]
    copy = copy_of(GradedAnswer(text))
    assert (copy.text, copy.calls, copy.was_cut) == (text[:8_000], [], was_cut)


@pytest.mark.spec("SC-148", "ACC-61")
def test_a_key_across_the_end_of_the_copy_is_hidden_before_the_cut() -> None:
    copy = copy_of(GradedAnswer("word " * (KEPT // 5 - 4) + KEY + " more"))
    assert KEY[:12] not in copy.text
    assert HIDDEN[:10] in copy.text


@pytest.mark.spec("SC-148", "ACC-61")
def test_where_most_of_the_beginning_is_hidden_no_half_of_a_key_is_kept() -> None:
    key = "sk-proj-" + "Ab1" * 50
    lines = READ // (len(key) + 1)
    # What is read first ends after ten characters of the last key, which nobody knows for one.
    text = "x" * (READ - 11 - lines * (len(key) + 1)) + "\n" + (key + "\n") * (lines + 1) + "the end " * 2_000
    assert text[:READ].endswith("\nsk-proj-Ab")
    copy = copy_of(GradedAnswer(text))
    assert copy.text == hide(text).text[:KEPT]
    assert "sk-proj" not in copy.text
    assert "the end" in copy.text


@pytest.mark.spec("SC-148")
@pytest.mark.parametrize("hidden_in_a_line", ["", KEY])
def test_of_a_huge_answer_the_beginning_is_enough(monkeypatch: pytest.MonkeyPatch, hidden_in_a_line: str) -> None:
    lengths: list[int] = []

    def watched(text: str) -> Hidden:
        lengths.append(len(text))
        return hide(text)

    monkeypatch.setattr(copies, "hide", watched)
    copy = copy_of(GradedAnswer(f"{hidden_in_a_line}\nword\n" * 100_000))
    assert (lengths, len(copy.text), copy.was_cut) == ([READ], KEPT, True)


@pytest.mark.spec("SC-148", "ACC-61")
def test_calls_are_kept_with_their_outcome_and_without_credentials() -> None:
    call = MadeCall("pay", {"note": f"use {KEY} now", "amount": 5}, "failed")
    copy = copy_of(GradedAnswer("done", (call,)))
    assert copy.calls == [{"tool": "pay", "arguments": {"note": f"use {HIDDEN} now", "amount": 5}, "outcome": "failed"}]
    assert not copy.was_cut


@pytest.mark.spec("SC-148")
def test_as_many_calls_are_kept_as_have_room_and_the_copy_is_said_to_be_cut() -> None:
    around = len(compact(call_as_json(MadeCall("t", {"a": ""}))))
    half = LIMITS.score_calls_characters // 2
    one, other = (MadeCall("t", {"a": "x" * (half - around)}) for _half in range(2))
    whole = copy_of(GradedAnswer("", (one, other)))
    assert (len(whole.calls), whole.was_cut) == (2, False)
    more = copy_of(GradedAnswer("", (one, other, MadeCall("u", {}))))
    assert (len(more.calls), more.was_cut) == (2, True)
    longer = MadeCall("t", {"a": "x" * (half - around + 1)})
    assert [call["tool"] for call in copy_of(GradedAnswer("", (one, longer, MadeCall("u", {})))).calls] == ["t"]
    huge = copy_of(GradedAnswer("", (MadeCall("t", {"a": "x" * 2 * half}),)))
    assert (huge.calls, huge.was_cut) == ([], True)


def test_calls_are_read_as_they_were_stored() -> None:
    calls = (MadeCall("a", {"x": [1]}, "blocked"), MadeCall("b", "text"))
    assert calls_of_json([call_as_json(call) for call in calls]) == calls
    assert calls_of_json([]) == ()
