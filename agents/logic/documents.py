"""A file as a document: what kind it is by its content, its text with headings and pages, and why it is refused."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.logic.pdf_reading import REFUSALS, UnreadablePdf, read_pdf
from core.encodings import BadByte, OtherEncoding, decode_utf8
from core.limits import LIMITS
from core.problems import Problem, gettext_noop

TEXT, MARKDOWN, PDF = "text", "markdown", "pdf"
MARKDOWN_NAMES = (".md", ".markdown", ".mdown", ".mkd")
PDF_SIGN = b"%PDF-"
PDF_SIGN_WITHIN = 1024  # bytes: readers take what stands before it for dirt
HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t]*#*")
FENCE = re.compile(r"\s{0,3}(```|~~~)")
BETWEEN_HEADINGS = " › "


class UnreadableDocument(Exception):
    """Why the file cannot be a document."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.text)


@dataclass(frozen=True)
class Section:
    """A stretch of text under one heading or on one page; `heading` is the whole way to it, "" for none."""

    text: str
    heading: str = ""
    page: int | None = None


@dataclass(frozen=True)
class ReadDocument:
    """What was read of a file. `pages` counts those of a PDF, None otherwise."""

    kind: str
    sections: tuple[Section, ...]
    bytes: int
    sha256: str
    pages: int | None

    @property
    def characters(self) -> int:
        return sum(len(section.text) for section in self.sections)


def read_document(name: str, data: bytes) -> ReadDocument:
    """The document in the file. Raises `UnreadableDocument` where it is none that can be read, or too large."""
    if len(data) > LIMITS.document_bytes:
        raise _refused(gettext_noop("The file is larger than %(bytes)s bytes."), bytes=f"{LIMITS.document_bytes:,}")
    if not data.strip():
        raise _refused(gettext_noop("The file is empty."))
    kind = kind_of(name, data)
    sections = tuple(_pdf_sections(data) if kind == PDF else _text_sections(kind, _decoded(data)))
    if not sections:
        raise _refused(gettext_noop("The file is empty."))
    pages = max(section.page or 0 for section in sections) if kind == PDF else None
    return ReadDocument(kind, sections, len(data), hashlib.sha256(data).hexdigest(), pages)


def kind_of(name: str, data: bytes) -> str:
    """A PDF says so itself; what else is text is Markdown where its name ends like it."""
    if PDF_SIGN in data[:PDF_SIGN_WITHIN]:
        return PDF
    return MARKDOWN if name.lower().endswith(MARKDOWN_NAMES) else TEXT


def markdown_sections(text: str) -> Iterator[Section]:
    """The sections of Markdown by its headings; a heading in a code block is none, one without text is text."""
    levels: list[str] = []
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        found = None if fence else _heading(line)
        if not found:
            lines.append(line)
            continue
        yield from _section(levels, lines, deeper=len(found[1]) > len(levels))
        depth = len(found[1])
        levels = [*levels[: depth - 1], *[""] * (depth - 1 - len(levels)), found[2]]
        lines = []
    yield from _section(levels, lines, deeper=False)


def _heading(line: str) -> re.Match[str] | None:
    """A heading of Markdown: indented or endless lines are none."""
    if line[:1] != "#" or len(line) > LIMITS.heading_characters * 2:
        return None
    return HEADING.fullmatch(line.rstrip())


def _section(levels: list[str], lines: list[str], *, deeper: bool) -> Iterator[Section]:
    heading = BETWEEN_HEADINGS.join(level for level in levels if level)
    text = "".join(lines)
    if text.strip():
        yield Section(text, heading[: LIMITS.heading_characters])
    elif heading and not deeper:
        yield Section(heading, heading[: LIMITS.heading_characters])


def _text_sections(kind: str, text: str) -> Iterator[Section]:
    if len(text) > LIMITS.document_characters:
        words = gettext_noop("The file holds more than %(most)s characters. Split it and add the parts.")
        raise _refused(words, most=f"{LIMITS.document_characters:,}")
    if kind == MARKDOWN:
        yield from markdown_sections(text)
    elif text.strip():
        yield Section(text)


def _pdf_sections(data: bytes) -> Iterator[Section]:
    try:
        pages = read_pdf(data)
    except UnreadablePdf as error:
        most = {"pages": f"{LIMITS.document_pages:,}", "characters": f"{LIMITS.document_characters:,}"}
        raise _refused(REFUSALS[str(error)], **most) from None
    return (Section(text, page=number) for number, text in enumerate(pages, start=1) if text.strip())


def _decoded(data: bytes) -> str:
    """The text without its mark; names the other encoding, or the first byte that is none of UTF-8."""
    try:
        text = decode_utf8(data)
        if "\x00" in text:
            raise BadByte(data, data.index(b"\x00"))
    except OtherEncoding as error:
        raise _refused(
            gettext_noop("The file is saved as %(encoding)s. Save it as UTF-8."), encoding=error.name
        ) from None
    except BadByte as error:
        words = gettext_noop(
            "This is neither a PDF nor text in UTF-8: byte %(place)d, in line %(line)d, is no text. "
            "Save it as UTF-8 text, Markdown or PDF."
        )
        raise _refused(words, place=error.number, line=error.line) from None
    return text


def _refused(words: str, **values: object) -> UnreadableDocument:
    return UnreadableDocument(Problem("file", words, values))
