"""A provider's words as they are kept: what they mean for the judge, and nothing of what was sent (SC-130, ACC-24)."""

import time

import pytest

from scoring.logic.causes import TOO_LONG, Cause
from scoring.logic.provider_words import (
    LEFT_OUT,
    SAID_CHARACTERS,
    is_too_long,
    refused_parameter,
    shown_words,
    why_it_failed,
)

SENT = (
    '{"answer":"Ottilie Vandersloot lives at Rosengasse 7 in Leipzig and paid 4417 euros with 5500005555555559.",'
    '"case":{"question":"这个水壶可以退货吗，三十天内","why":"ottilie@example.org asked"}}'
)


@pytest.mark.parametrize(
    "said",
    [
        "Cannot parse: Ottilie Vandersloot lives at Rosengasse 7 in Leipzig",
        "Cannot parse: OTTILIE  vandersloot LIVES at rosengasse",
        "Cannot parse 'and paid 4417 euros'",
        "Cannot parse card 5500005555555559",
        "Cannot parse: 水壶可以退货",
        "Cannot parse “Vandersloot lives at” here",
        "Cannot parse 'Vandersloot' or `Rosengasse`",
    ],
)
def test_what_was_sent_is_left_out(said: str) -> None:
    shown = shown_words(said, SENT)
    assert shown.startswith("Cannot parse")
    assert LEFT_OUT in shown
    for word in ("Vandersloot", "vandersloot", "Rosengasse", "rosengasse", "4417", "5500", "水壶"):
        assert word not in shown


def test_words_that_were_not_sent_stay() -> None:
    said = "The model judge-1 is overloaded. Try again in 30 seconds."
    assert shown_words(said, SENT) == said


def test_they_are_short_without_credentials_and_quickly_looked_through() -> None:
    key = "sk-proj-Ab3dEf6hIj9kLmNoPqRsTuVwXyZ0123456789abcd"
    began = time.monotonic()
    shown = shown_words(f"Wrong key {key}. " + "Odd. " * 50_000, "word of an answer " * 30_000)
    assert (len(shown) <= SAID_CHARACTERS, key in shown) == (True, False)
    assert time.monotonic() - began < 5


@pytest.mark.spec("SC-98", "SC-D38")
@pytest.mark.parametrize(
    ("status", "said", "parameter"),
    [
        (400, "Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        (400, "'response_format' of type 'json_schema' is not supported with this model", "response_format"),
        (422, "body.response_format: extra fields not permitted", "response_format"),
        (400, "Invalid schema for response_format 'verdicts': 'minimum' is not permitted.", "response_format"),
        (400, "Your request is odd.", ""),
        (429, "temperature of the account is too high", ""),
        (500, "response_format crashed", ""),
        (None, "temperature", ""),
    ],
)
def test_a_parameter_that_is_refused_by_name_is_told(status: int | None, said: str, parameter: str) -> None:
    assert refused_parameter(status, said) == parameter


@pytest.mark.spec("SC-D44")
@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, your messages and response_format have 9000.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size. try increasing the context size",
        "Input is too long for requested model.",
    ],
)
def test_a_request_that_is_too_long_is_told_whatever_else_is_named(said: str) -> None:
    assert is_too_long(400, said)
    assert refused_parameter(400, said) == ""
    assert why_it_failed("refused", status=400, said=said, tries=1, sent=SENT) == TOO_LONG


def test_a_failure_of_an_unknown_kind_has_the_words_of_its_cause() -> None:
    assert why_it_failed("no_key", status=None, said="", tries=1, sent="") == Cause.FAILED.reason
