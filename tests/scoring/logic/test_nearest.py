"""Which cases are nearest a run's question (SC-158, SC-D52)."""

import pytest

from scoring.logic.nearest import nearest_first


def nearest(question: str, *others: str) -> list[str]:
    return nearest_first(question, others, asks=str.lower, words=str.split)


@pytest.mark.spec("SC-158", "SC-D52")
def test_the_questions_that_share_most_words_come_first_and_ties_keep_their_order() -> None:
    found = nearest("when does my refund come", "x", "When", "my REFUND", "does it come", "refund my refund when")
    assert found == ["refund my refund when", "my REFUND", "does it come", "When", "x"]


@pytest.mark.spec("SC-D52")
def test_a_word_counts_once_however_often_it_stands_there() -> None:
    assert nearest("refund refund now", "refund refund refund", "now refund") == ["now refund", "refund refund refund"]
    assert nearest("a") == []
