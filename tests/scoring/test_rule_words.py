"""In which words a check is shown."""

from typing import Any

import pytest

from scoring.forms.rule_words import parameters_in_words, rule_in_words


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ({"type": "length", "min": 5, "max": 2000, "unit": "words"}, "at least 5, at most 2,000 words"),
        ({"type": "length", "min": 5, "unit": "characters", "path": "a.b"}, "at least 5 characters (a.b)"),
        ({"type": "max_latency_ms", "value": 20000}, "20,000 ms"),
        ({"type": "max_cost_usd", "value": 0.004}, "$0.004"),
        ({"type": "contains", "value": "Hi", "case_sensitive": True}, "Hi, capital and small letters differ"),
        ({"type": "json_schema", "schema": {}}, ""),
        ({"order_mode": "any", "pairs": []}, ""),
    ],
)
def test_what_a_check_asks_is_said_as_a_person_reads_it(check: dict[str, Any], words: str) -> None:
    assert parameters_in_words(check) == words


def test_the_type_stands_before_what_it_asks() -> None:
    assert rule_in_words({"type": "max_latency_ms", "value": 20000}) == "Takes at most: 20,000 ms"
    assert rule_in_words({"type": "json_schema", "schema": {}}) == "Is JSON that fits a schema"
