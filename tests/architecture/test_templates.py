"""Templates: no inline script or style (the Content-Security-Policy forbids them), and every text translatable."""

import re

from tests.architecture.sources import templates, text

INLINE = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*="),
    "a style element": re.compile(r"<style[\s>]", re.I),
    "an event attribute": re.compile(r"<[a-z][^>]*\son[a-z]+\s*=", re.I),
    "an inline script": re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")[^>]*>", re.I),
    "a javascript address": re.compile(r"javascript:", re.I),
    "hx-on or js:": re.compile(r"hx-on|hx-vals=['\"]js:|hx-vars", re.I),
}
COMMENTS = re.compile(r"{%\s*comment.*?endcomment\s*%}|{#.*?#}|<!--.*?-->", re.S)
TRANSLATED = re.compile(r"{%\s*blocktrans(?:late)?\b.*?endblocktrans(?:late)?\s*%}", re.S)
TAGS = re.compile(r"{%.*?%}|{{.*?}}", re.S)
READ_ALOUD = re.compile(r"""\s(?:title|placeholder|alt|aria-label|aria-description)\s*=\s*["']([^"']*)["']""")
CODE = re.compile(r"<(script|style|code|pre|kbd|svg)\b.*?</\1>|<(\w+)[^>]*class=\"code\"[^>]*>.*?</\2>", re.S | re.I)
ATTRIBUTES = re.compile(r"{%\s*block \w+_attributes\s*%}.*?{%\s*endblock\s*%}", re.S)
WORD = re.compile(r"[A-Za-zÀ-ž]{3,}")
SAME_IN_EVERY_LANGUAGE = {
    "Casebook",
    "CSV",
    "JSON",
    "JSONL",
    "API",
    "nbsp",
    "middot",
    "hellip",
    "times",
    "amp",
    "mdash",
}


def without_comments(path: str) -> str:
    return COMMENTS.sub("", text(path))


def test_no_template_holds_inline_script_or_style() -> None:
    found = [
        f"{path}: {what}"
        for path in templates()
        for what, pattern in INLINE.items()
        if pattern.search(without_comments(path))
    ]
    assert found == []


def test_every_text_of_a_template_is_translated() -> None:
    pages = [path for path in templates() if not path.startswith("templates/gallery/")]  # seen in development only
    found = [f"{path}: {words}" for path in pages if (words := untranslated(without_comments(path)))]
    assert found == []


def untranslated(source: str) -> list[str]:
    """Words that stand between tags, or in attributes that are shown or read aloud, outside of any translation."""
    bare = TAGS.sub(" ", CODE.sub(" ", TRANSLATED.sub(" ", ATTRIBUTES.sub(" ", source))))
    shown = [*READ_ALOUD.findall(bare), re.sub(r"<[^>]*>", " ", bare)]
    return [word for piece in shown for word in WORD.findall(piece) if word not in SAME_IN_EVERY_LANGUAGE]


def test_no_html_is_marked_safe_outside_its_one_place() -> None:
    """`|safe` and `autoescape off` hand unescaped text to the page; core/html.py makes what may be unescaped."""
    unsafe = re.compile(r"\|\s*safe\b|autoescape\s+off")
    pages = [path for path in templates() if path.endswith(".html")]  # a mail in plain text has nothing to escape
    assert [path for path in pages if unsafe.search(without_comments(path))] == []
