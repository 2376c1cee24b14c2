"""Markdown becomes safe HTML: nothing runs, nothing loads, nothing hangs."""

import re
import time

import pytest
from bleach._vendor.html5lib import parseFragment  # parses as browsers do
from hypothesis import given, settings
from hypothesis import strategies as st

from core.html import MOST_CHARACTERS, TAGS, render_markdown

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src='//evil.example'></iframe>",
    "<style>@import url(//evil.example)</style>",
    "<b onclick=alert(1)>x</b>",
    "<!-- --!> <script>alert(1)</script> -->",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "[x](//evil.example)",
    "[x](/account/logout/)",
    "[x](javascript&colon;alert(1))",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    '![x](https://evil.example/p.png" onerror="alert(1))',
    '[x](https://e.example "onmouseover=alert(1)")',
    '[x](https://e.example" onmouseover="alert(1))',
    "<javascript:alert(1)>",
    "<https://e.example/\"onmouseover='alert(1)'>",
    "[x]: javascript:alert(1)\n\n[x]",
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "|a|\n|-|\n|<script>alert(1)</script>|",
    "# <img src=x onerror=alert(1)>",
    "\x02klzzwxh:0000\x03<script>alert(1)</script>",
    "x\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "<<script>script>alert(1)<</script>/script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
]


MARK = ("class", "role", "aria-label", "title", "data-code")


def harm(rendered: str) -> list[str]:
    """What a browser would make of it that may not be there: elements, attributes, addresses."""
    found = []
    for element in parseFragment(rendered, namespaceHTMLElements=False).iter():
        if not isinstance(element.tag, str) or element.tag == "DOCUMENT_FRAGMENT":
            continue
        if element.tag == "span" and element.get("class") == "hidden-character":  # a mark of ours
            found += [name for name in element.attrib if name not in MARK]
            continue
        if element.tag not in TAGS:
            found.append(f"<{element.tag}>")
        found += [name for name in element.attrib if name not in ("href", "rel", "target", "title", "align", "start")]
        address = element.get("href")
        if address is not None and not re.match(r"(https?|mailto):", address):
            found.append(address)
        if address is not None and element.get("rel") != "noopener noreferrer nofollow":
            found.append(f"rel of {address}")
    return found


@pytest.mark.spec("DS-109")
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_survives(text: str) -> None:
    assert harm(render_markdown(text)) == []


@given(st.text(alphabet="<>&\"'`*_[]()!#|-:/\\ \n\tajvscripthref=0.\x00\x02\x03é", max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_text_at_all_becomes_anything_but_harmless(text: str) -> None:
    assert harm(render_markdown(text)) == []


def test_raw_html_is_shown_as_text() -> None:
    assert render_markdown("a <b>bold</b> word") == "<p>a &lt;b&gt;bold&lt;/b&gt; word</p>"


@pytest.mark.spec("DS-110")
def test_a_remote_image_is_a_link_with_its_words() -> None:
    link = '<a href="https://e.example/k.png" rel="noopener noreferrer nofollow" target="_blank">A kettle</a>'
    assert render_markdown("see ![A kettle](https://e.example/k.png) there") == f"<p>see {link} there</p>"


def test_an_image_without_words_shows_its_address() -> None:
    assert ">https://e.example/k.png</a>" in render_markdown("![](https://e.example/k.png)")


def test_headings_stand_below_those_of_the_page() -> None:
    assert render_markdown("# One\n\n###### Six") == "<h3>One</h3>\n<h6>Six</h6>"


def test_tables_lists_code_and_line_breaks_are_kept() -> None:
    rendered = render_markdown("one\ntwo\n\n3. x\n4. y\n\n```\n<a>\n```\n\n|a|b|\n|-|-:|\n|1|2|")
    for part in ("one<br>\ntwo", '<ol start="3">', "<pre><code>&lt;a&gt;\n</code></pre>", '<td align="right">2</td>'):
        assert part in rendered


def test_nothing_is_nothing() -> None:
    assert render_markdown(None) == render_markdown("") == ""


TANGLES = [
    "[", "]", "![", "[a](", "[a][b]", "(", "*", "_", "**a *b ", "*_", "`", "`` ` ", "> ", ">", "- ", "1. ", "# ", "#",
    "|", "|a", "~~~\n", "```\n", "<", "<a ", "<!--", "&", "&#", "\\", "\n", " ", "  \n", "\t", "a\n=\n", "[a]: b\n",
    "http://", "<http://a", "a**b", "[[", "[]", "\n\n[", "> - ", "- > ", "    ", "é", "\u202e", "| - |\n",
    "\n\n- a", "1. x\n\n",
]  # fmt: skip


@pytest.mark.parametrize("unit", TANGLES)
def test_time_grows_no_faster_than_the_text(unit: str) -> None:
    """50,000 characters are the most a field of a case holds (DS-20)."""
    started = time.process_time()
    rendered = render_markdown(unit * (50_000 // len(unit)))
    assert time.process_time() - started < 6
    assert harm(rendered[:2_000]) == []


def test_nesting_deeper_than_the_parser_goes_is_shown_as_written() -> None:
    assert render_markdown("- " * 3000 + "x").startswith("<pre>- - - ")


def test_text_over_the_limit_is_shown_as_written() -> None:
    assert render_markdown("**a** <b>" + " " * MOST_CHARACTERS).startswith("<pre>**a** &lt;b&gt;")


def test_a_block_of_many_brackets_is_text_and_its_neighbours_are_not() -> None:
    rendered = render_markdown("**a**\n\n" + "[" * 400 + "\n\n**b**")
    assert "<strong>a</strong>" in rendered
    assert "<strong>b</strong>" in rendered
    assert "[" * 400 in rendered
