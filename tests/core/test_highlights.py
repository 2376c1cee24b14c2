"""Passages marked in rendered Markdown (RV-D11)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.highlights import Passage, highlighted
from core.html import render_markdown


def marked(text: str, *quotes: str) -> list[str]:
    """What stands inside of marks, in order."""
    page = highlighted(render_markdown(text), [Passage(quote, "fail") for quote in quotes])
    return re.findall(r"<mark[^>]*>(.*?)</mark>", page, re.DOTALL)


@pytest.mark.spec("RV-D11")
@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("You can return it within 30 days.", "within 30 days", ["within 30 days"]),
        ("You can **return** it", "can **return** it", ["can ", "return", " it"]),
        ("You can **return** it", "can return it", ["can ", "return", " it"]),
        ("One\n\nTwo three", "One Two", ["One", "Two"]),
        ("- first\n- second", "first\n- second", ["first", "second"]),
        ("I know: no.", "no", ["no"]),
        ("Say “yes” & go", 'yes" & go', ["yes” &amp; go"]),
        ("Cafe\u0301 closes", "Café closes", ["Cafe\u0301 closes"]),
        ("WITHIN 30 days", "Within 30 days", ["WITHIN 30 days"]),
        ("保证三十天退货", "三十天", ["三十天"]),
        ("`code <b>` stays", "code <b> stays", ["code &lt;b&gt;", " stays"]),
    ],
)
def test_a_passage_is_marked_where_its_words_stand(text: str, quote: str, found: list[str]) -> None:
    assert marked(text, quote) == found


@pytest.mark.parametrize("quote", ["", "  ", "…", "elsewhere", "k"])
def test_what_does_not_stand_in_the_text_marks_nothing(quote: str) -> None:
    rendered = render_markdown("a kettle boils")
    assert highlighted(rendered, [Passage(quote, "pass")]) == rendered


def test_the_later_of_two_passages_wins_where_they_overlap() -> None:
    page = highlighted(
        render_markdown("one two three"), [Passage("one two three", "pass"), Passage("two", "fail", 'A "b"')]
    )
    assert '<mark class="quoted quoted-fail" title="A &quot;b&quot;">two</mark>' in page
    assert page.count("quoted-pass") == 2


@given(st.text(max_size=120), st.text(max_size=40))
def test_marks_change_nothing_else(text: str, quote: str) -> None:
    rendered = render_markdown(text)
    page = highlighted(rendered, [Passage(quote, "pass")])
    assert re.sub(r"</?mark[^>]*>", "", page) == rendered
