"""Tokens and cost from every provider's words (BC-37), and how long to wait (SC-D43)."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from agents.logic.usage import Prices, Usage, cost_of, read_usage
from agents.logic.waiting import seconds_to_wait

OPENAI = {"prompt_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 900}, "completion_tokens": 50}
RESPONSES = {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 900}, "output_tokens": 50}
ANTHROPIC = {
    "input_tokens": 100,
    "cache_read_input_tokens": 900,
    "cache_creation_input_tokens": 0,
    "output_tokens": 50,
}
PRICES = Prices(Decimal(2), Decimal(8), Decimal("0.2"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.spec("BC-37", "PL-20")
@pytest.mark.parametrize("sent", [OPENAI, RESPONSES, ANTHROPIC])
def test_cached_tokens_are_counted_once_whoever_says_so(sent: dict[str, object]) -> None:
    usage = read_usage(sent)
    assert usage == Usage(1000, 900, 50)
    assert cost_of(usage, PRICES) == Decimal("0.00078")


@pytest.mark.spec("BC-37")
def test_without_a_cached_price_cached_tokens_cost_the_full_one() -> None:
    assert cost_of(Usage(1000, 900, 50), Prices(Decimal(2), Decimal(8))) == Decimal("0.0024")


@pytest.mark.parametrize("sent", [None, {}, {"total_tokens": 5}, {"prompt_tokens": "7"}, {"prompt_tokens": True}, []])
def test_a_provider_that_says_nothing_has_no_usage(sent: object) -> None:
    assert read_usage(sent) is None  # type: ignore[arg-type]


def test_many_small_costs_add_up_to_the_digit() -> None:
    one = cost_of(Usage(50, 0, 0), Prices(Decimal(2), Decimal(8)))
    assert sum([one] * 10_000, Decimal(0)) == Decimal("1.0000")


@pytest.mark.spec("SC-D43")
@pytest.mark.parametrize(
    ("tries", "told", "wait"),
    [
        (1, "", 1.0),
        (2, "", 4.0),
        (3, "", 16.0),
        (4, "", None),
        (1, "2", 2.0),
        (1, "0", 0.0),
        (1, "60", 60.0),
        (1, "61", None),
        (1, "86400", None),
        (1, "Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
        (1, "Thu, 01 Jan 2026 00:00:00 GMT", 0.0),
        (1, "nan", 1.0),
        (1, "-5", 1.0),
        (1, "inf", 1.0),
        (1, "tomorrow", 1.0),
    ],
)
def test_the_wait_is_the_one_told_or_a_longer_one_each_time(tries: int, told: str, wait: float | None) -> None:
    assert seconds_to_wait(tries, told, NOW, 0.0) == wait


def test_fewer_tries_can_be_asked_for() -> None:
    assert seconds_to_wait(1, "", NOW, 0.0, 1) is None
