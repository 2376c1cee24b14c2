"""How words are taken apart, marked and asked for, the same on both databases (PL-24)."""

import pytest

from core.full_text import beginning_of, indexed_words, marked, question_words
from core.limits import LIMITS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Żółta łódź, 2nd", "zolta lodz 2nd"),
        ("e-mail: a.b@example.org", "e mail a b example org"),
        ("snake_case", "snake case"),
        ("保証期間は2年", "保 証 期 間 は 2 年"),
        ("½ price", "1 2 price"),
        ("  \n\t", ""),
        ("a" * 100, "a" * 64),
    ],
)
def test_words_are_letters_and_digits_accents_and_case_ignored(text: str, words: str) -> None:
    assert indexed_words(text) == words


def test_a_question_asks_for_each_word_once_and_for_so_many() -> None:
    assert question_words("The warranty, the WARRANTY?") == ["the", "warranty"]
    assert len(question_words(" ".join(f"word{number}" for number in range(100)))) == LIMITS.question_words


@pytest.mark.parametrize(
    ("word", "beginning"),
    [
        ("gwarancji", "gwaran"),
        ("warranties", "warrant"),
        ("warranty", "warran"),
        ("return", "retur"),
        ("tea", ""),
        ("a1234567", ""),
    ],
)
def test_longer_words_are_looked_for_by_their_beginning_too(word: str, beginning: str) -> None:
    assert beginning_of(word) == beginning


def test_the_words_of_the_question_are_marked_in_the_text_as_it_is_written() -> None:
    pieces = marked("The Wárranty lasts 2 years; warranties differ.", "how long is the warranty?")
    assert "".join(piece.text for piece in pieces) == "The Wárranty lasts 2 years; warranties differ."
    assert [piece.text for piece in pieces if piece.is_found] == ["The", "Wárranty", "warranties"]
    assert marked("Nothing here", "") == marked("Nothing here", "?!")
