"""Cutting a document into passages at the borders of sentences, so short that a model reads several (PL-24)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agents.logic.documents import Section
from core.limits import LIMITS

# After what ends a sentence, and at the end of each line; signs of Chinese and Japanese need no space behind them.
BORDER = re.compile(r"(?<=[.!?…])[ \t]+|(?<=[。！？])|\n\s*")


@dataclass(frozen=True)
class CutPassage:
    """A passage with where it begins: under which heading, on which page."""

    text: str
    heading: str
    page: int | None


@dataclass(frozen=True)
class _Sentence:
    text: str  # with the space behind it
    page: int | None


def cut(sections: Iterable[Section]) -> list[CutPassage]:
    """The passages in order. None is longer than LIMITS.passage_characters, none spans two headings.

    A passage repeats the last sentences of the one before, up to LIMITS.passage_overlap characters, so that what
    belongs together is found together. Pages do not part passages: sentences run over them.
    """
    passages: list[CutPassage] = []
    for heading, sentences in _by_heading(sections):
        passages += [
            CutPassage(text, heading, group[0].page)
            for group in _grouped(sentences)
            if (text := "".join(sentence.text for sentence in group).strip())
        ]
    return passages


def _by_heading(sections: Iterable[Section]) -> Iterator[tuple[str, list[_Sentence]]]:
    """Sections in a row with the same heading together, as the pages of a PDF are."""
    heading, sentences = "", list[_Sentence]()
    for section in sections:
        if section.heading != heading and sentences:
            yield heading, sentences
            sentences = []
        heading = section.heading
        sentences += [_Sentence(text, section.page) for text in _sentences(f"{section.text}\n")]
    if sentences:
        yield heading, sentences


def _sentences(text: str) -> Iterator[str]:
    """The sentences with what stands behind each; one that is too long for a passage in parts."""
    start = 0
    for border in BORDER.finditer(text):
        yield from _parts(text[start : border.end()])
        start = border.end()
    yield from _parts(text[start:])


def _parts(sentence: str) -> Iterator[str]:
    """At spaces where there are some in the second half of what fits, else in the middle of a word."""
    most = LIMITS.passage_characters
    while len(sentence) > most:
        end = sentence.rfind(" ", most // 2, most) + 1 or most
        yield sentence[:end]
        sentence = sentence[end:]
    if sentence:
        yield sentence


def _grouped(sentences: list[_Sentence]) -> Iterator[list[_Sentence]]:
    group: list[_Sentence] = []
    size = 0
    for sentence in sentences:
        if group and size + len(sentence.text) > LIMITS.passage_characters:
            yield group
            group = _overlap(group, LIMITS.passage_characters - len(sentence.text))
            size = sum(len(one.text) for one in group)
        group.append(sentence)
        size += len(sentence.text)
    if group:
        yield group


def _overlap(group: list[_Sentence], room: int) -> list[_Sentence]:
    """The last sentences of a passage that the next one repeats, as many as fit; never the whole passage."""
    kept: list[_Sentence] = []
    left = min(room, LIMITS.passage_overlap)
    for sentence in reversed(group[1:]):
        left -= len(sentence.text)
        if left < 0:
            break
        kept.insert(0, sentence)
    return kept
