"""The sentence on a judge's run that failed, and where a provider's words begin to be a quotation (SC-130, ACC-24)."""

import pytest

from scoring.logic.provider_words import LEFT_OUT, shown_words, why_it_failed


@pytest.mark.spec("SC-130")
@pytest.mark.parametrize(
    ("cause", "status", "words"),
    [
        ("refused_address", None, "this server does not call its provider's address. Tries: 2."),
        ("unreachable", None, "its provider cannot be reached. Tries: 2."),
        ("timed_out", 504, "its provider did not answer in time. Tries: 2."),
        ("wrong_key", 401, "its provider does not take the key. Status 401, tries: 2."),
        ("no_such_model", 404, "its provider has no such model. Status 404, tries: 2."),
        ("rate_limited", 429, "its provider takes no more requests now. Status 429, tries: 2."),
        ("refused", 400, "its provider refuses the request. Status 400, tries: 2."),
        ("broken", None, "its provider has a fault of its own. Status –, tries: 2."),
    ],
)
def test_a_failed_run_says_the_cause_the_status_the_tries_and_what_the_provider_said(
    cause: str, status: int | None, words: str
) -> None:
    bare = why_it_failed(cause, status=status, said=" ", tries=2, sent="the case")
    assert bare.in_english == f"The judge's run failed: {words}"
    told = why_it_failed(cause, status=status, said="Sorry, odd.", tries=2, sent="the case")
    assert told.in_english == f"The judge's run failed: {words} “Sorry, odd.”"


@pytest.mark.spec("SC-130", "ACC-24")
def test_in_the_sentence_the_providers_words_are_without_what_was_sent() -> None:
    why = why_it_failed("broken", status=500, said="Odd: my kettle leaks", tries=1, sent="Why? My kettle leaks!")
    assert why.in_english.endswith(f"tries: 1. “Odd: {LEFT_OUT}”")


@pytest.mark.spec("ACC-24")
@pytest.mark.parametrize(
    ("said", "sent", "shown"),
    [
        # Three words in a row, at the beginning, in the middle and at the end of what was sent.
        ("odd: a b c", "a b c d e f", f"odd: {LEFT_OUT}"),
        ("odd: c d e", "a b c d e f", f"odd: {LEFT_OUT}"),
        ("odd: d e f", "a b c d e f", f"odd: {LEFT_OUT}"),
        ("odd: e f", "a b c d e f", "odd: e f"),
        ("odd: f", "a b c d e f", "odd: f"),
        ("odd: a b d", "a b c d e f", "odd: a b d"),
        ("a b c, odd", "a b c", f"{LEFT_OUT}, odd"),
        ("a b, odd", "a b", "a b, odd"),
        # A long word, a number and a word beyond ASCII say enough alone.
        ("odd: abcdefghijkl", "x abcdefghijkl y", f"odd: {LEFT_OUT}"),
        ("odd: abcdefghijk", "x abcdefghijk y", "odd: abcdefghijk"),
        ("odd: 123456", "x 123456 y", f"odd: {LEFT_OUT}"),
        ("odd: 12345", "x 12345 y", "odd: 12345"),
        ("odd: żółw", "x ŻÓŁW y", f"odd: {LEFT_OUT}"),
        ("odd: żół", "x żół y", "odd: żół"),
        ("odd: word", "x word y", "odd: word"),
        ("odd: 123456", "nothing of it", "odd: 123456"),
        # What stands between quotation marks is left out where it was sent, however short it is.
        ("odd: 'kettle' here", "my kettle leaks", f"odd: '{LEFT_OUT}' here"),
        ("odd: 'judge-1' here", "my kettle leaks", "odd: 'judge-1' here"),
        ("odd: 'my' here", "my kettle leaks", "odd: 'my' here"),
        # Gaps side by side are one.
        ("odd: abcdefghijkl, 123456 there", "123456 abcdefghijkl", f"odd: {LEFT_OUT} there"),
    ],
)
def test_what_is_a_quotation_is_left_out_and_nothing_else(said: str, sent: str, shown: str) -> None:
    assert shown_words(said, sent) == shown


@pytest.mark.spec("SC-130")
def test_a_providers_words_are_kept_in_one_line_up_to_three_hundred_characters() -> None:
    assert shown_words(" Odd.\n\tVery  odd. ", "") == "Odd. Very odd."
    assert shown_words("ab" * 200, "") == "ab" * 150
