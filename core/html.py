"""Markdown of people and agents as safe HTML: what comes out holds no script, loads nothing and hangs nothing.

Raw HTML is shown as the text it is. Images become links, since loading one tells a stranger who reads (DS-110). Links
lead to http, https or mailto and carry rel="noopener noreferrer nofollow". Hidden characters are marked.
"""

from typing import Any
from xml.etree.ElementTree import Element, SubElement

import bleach
import markdown
from django.utils.html import escape
from django.utils.safestring import SafeString
from markdown.blockprocessors import BlockProcessor
from markdown.extensions.tables import TableExtension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from core.hidden_characters import mark_in_html

SCHEMES = ("http", "https", "mailto")
TAGS = frozenset(
    "a blockquote br code em h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split()
)  # fmt: skip
ATTRIBUTES = {"a": ["href", "rel", "target", "title"], "ol": ["start"], "td": ["align"], "th": ["align"]}

# Beyond these the text is shown as it was written. Each costs the parser or the cleaner its number squared: 4,000
# brackets of one block take four seconds and 300 take 20 ms; 11,000 list items take ten seconds and 3,000 half a one.
MOST_CHARACTERS = 60_000
MOST_LINES = 3_000
MOST_BRACKETS_IN_BLOCK = 300
MOST_LINES_IN_BLOCK = 1_000
MOST_FENCES = 400


class TangledBlock(BlockProcessor):
    """A block with more brackets or lines than any prose has: kept as the text it is."""

    def test(self, parent: Element, block: str) -> bool:
        return block.count("[") > MOST_BRACKETS_IN_BLOCK or block.count("\n") > MOST_LINES_IN_BLOCK

    def run(self, parent: Element, blocks: list[str]) -> None:
        SubElement(parent, "p").text = AtomicString(blocks.pop(0))


class SafeElements(Treeprocessor):
    """Turns images into links, keeps links that lead somewhere known, and puts headings below the page's own."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.tag == "img":
                source = element.attrib.pop("src", "")
                element.tag, element.text = "a", AtomicString(element.attrib.pop("alt", "") or source)
                element.set("href", source)
            if element.tag == "a":
                _make_link_safe(element)
            elif len(element.tag) == 2 and element.tag[0] == "h" and element.tag[1].isdigit():
                element.tag = f"h{min(int(element.tag[1]) + 2, 6)}"


def _make_link_safe(link: Element) -> None:
    address = link.attrib.pop("href", "").strip()
    if address.partition(":")[0].lower() in SCHEMES and ":" in address:
        link.set("href", address)
        link.set("rel", "noopener noreferrer nofollow")
        link.set("target", "_blank")


def _parser() -> markdown.Markdown:
    parser = markdown.Markdown(
        extensions=["fenced_code", "sane_lists", "nl2br", TableExtension(use_align_attribute=True)]
    )
    parser.preprocessors.deregister("html_block")
    parser.inlinePatterns.deregister("html")
    parser.parser.blockprocessors.register(TangledBlock(parser.parser), "tangled", 78)
    parser.treeprocessors.register(SafeElements(parser), "safe_elements", 5)
    return parser


_CLEANER: Any = bleach.Cleaner(tags=TAGS, attributes=ATTRIBUTES, protocols=SCHEMES, strip=False)


def render_markdown(text: str | None) -> SafeString:
    """The text as safe HTML. Text that is too large, or nested deeper than the parser goes, comes out as written."""
    text = text or ""
    if _is_too_large(text):
        return as_written(text)
    try:
        return mark_in_html(_CLEANER.clean(_parser().convert(text)))
    except RecursionError:
        return as_written(text)


def _is_too_large(text: str) -> bool:
    return (
        len(text) > MOST_CHARACTERS
        or sum(1 for line in text.splitlines() if line.strip()) > MOST_LINES
        or text.count("```") + text.count("~~~") > MOST_FENCES
    )


def as_written(text: str) -> SafeString:
    """The text without any Markdown, with its line breaks and spaces."""
    return mark_in_html(f"<pre>{escape(text)}</pre>")
