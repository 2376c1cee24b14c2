"""Characters that nobody sees are marked where a text is shown, and nowhere else."""

import re

import pytest
from django.template import Context, Template
from django.utils.html import strip_tags

from core.hidden_characters import marked
from core.html import MOST_CHARACTERS, render_markdown

TURNED = "Pay \u202e001\u202c now"


@pytest.mark.parametrize("code", [0x202A, 0x202E, 0x2066, 0x2069, 0x200B, 0x200E, 0x2060, 0xFEFF, 0x061C])
def test_each_gets_a_mark_with_a_name_and_stays_in_the_text(code: int) -> None:
    shown = marked(f"a{chr(code)}b")
    assert f'data-code="U+{code:04X}"' in shown
    assert re.search(rf'role="img" aria-label="1 hidden character: U\+{code:04X}, [a-z -]+"', shown)
    assert strip_tags(shown) == f"a{chr(code)}b"


def test_what_comes_with_markdown_is_marked_in_texts_code_and_tables_and_not_in_addresses() -> None:
    source = f"# {TURNED}\n\n`{TURNED}`\n\n| a |\n| - |\n| {TURNED} |\n\n[here](https://a.example/\u202e)"
    shown = render_markdown(source)
    assert len(re.findall('data-code="U\\+202E"', shown)) == 3
    assert not any("<span" in address for address in re.findall(r'href="[^"]*"', shown))
    assert strip_tags(shown).count(TURNED) == 3


def test_a_text_that_is_shown_as_written_is_marked_too() -> None:
    assert "U+202E" in render_markdown("x" * MOST_CHARACTERS + TURNED)


def test_many_beside_each_other_get_one_mark_and_many_apart_short_ones() -> None:
    assert 'data-code="U+200B ×3"' in marked("a\u200b\u200b\u200bb")
    shown = marked("a\u200b" * 25_000)
    assert shown.count("data-code=") == 25_000
    assert len(shown) < 3_000_000


def test_joiners_that_belong_to_a_writing_or_to_emoji_are_left_alone() -> None:
    family, persian = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert marked(f"{family} {persian}") == f"<bdi>{family} {persian}</bdi>"
    assert "U+200D" in marked("pass\u200dword")
    assert "U+200C" in marked("password\u200c")


def test_the_filter_escapes_isolates_and_marks() -> None:
    shown = Template("{% load ui %}{{ text|marked }}").render(Context({"text": "<b>\u202e</b>"}))
    assert shown.startswith("<bdi>&lt;b&gt;<span")
    assert shown.endswith("</span>&lt;/b&gt;</bdi>")
    assert marked(None) == "<bdi></bdi>"
