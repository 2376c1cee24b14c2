"""Logs: JSON, a request id in every line, and nobody's words, keys or tokens (PL-52, ACC-D46)."""

import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import structlog

from core.logging import WithoutAddress, logging_settings
from tests.cast import Cast
from tests.console import Console, running_console

CANARY = "zebra-canary-7731"


def line_of(record: logging.LogRecord) -> dict[str, Any]:
    """The record as production writes it."""
    made = logging_settings(level="INFO", style="json")["formatters"]["structured"]
    formatter = structlog.stdlib.ProcessorFormatter(
        processors=made["processors"], foreign_pre_chain=made["foreign_pre_chain"]
    )
    found: dict[str, Any] = json.loads(formatter.format(record))
    return found


def record_with_error() -> logging.LogRecord:
    try:
        raise ValueError(f"the text was: {CANARY}")
    except ValueError:
        error = sys.exc_info()
    message, arguments = "%s: %s", ("Internal Server Error", f"/invitations/{CANARY}/")
    return logging.LogRecord("django.request", logging.ERROR, __file__, 1, message, arguments, error)


@pytest.mark.spec("PL-52")
def test_an_error_is_logged_by_its_kind_and_place_without_its_message_or_address() -> None:
    record = record_with_error()
    assert WithoutAddress().filter(record)
    line = line_of(record)
    assert CANARY not in json.dumps(line)
    assert (line["event"], line["error"], line["level"]) == ("Internal Server Error", "builtins.ValueError", "error")
    assert any("test_logging.py" in frame for frame in line["frames"])


@pytest.mark.spec("PL-52")
@pytest.mark.parametrize(
    ("message", "arguments", "kept"),
    [
        ("%s: %s", ("Not Found", f"/x/{CANARY}"), "Not Found"),
        ('"%s" %s %s', (f"GET /x?q={CANARY} HTTP/1.1", "500", "12"), "GET"),
        (f"Forbidden (CSRF): /x/{CANARY}", (), "Forbidden (CSRF)"),
    ],
)
def test_lines_of_django_that_hold_an_address_lose_it(message: str, arguments: tuple[str, ...], kept: str) -> None:
    record = logging.LogRecord("django.server", logging.ERROR, __file__, 1, message, arguments, None)
    WithoutAddress().filter(record)
    assert record.getMessage() == kept


@pytest.mark.spec("PL-52")
def test_debugging_our_code_does_not_make_other_packages_write_values_and_keys() -> None:
    made = logging_settings(level="DEBUG", style="json")
    assert made["root"]["level"] == "INFO"
    assert made["loggers"]["datasets"]["level"] == "DEBUG"


@pytest.mark.django_db(transaction=True)
class TestARealConsole:
    @pytest.fixture
    def console(self, cast: Cast) -> Iterator[Console]:
        with running_console() as console:
            yield console

    @pytest.mark.spec("PL-52", "ACC-D46")
    def test_no_line_holds_words_queries_keys_or_tokens_and_each_of_a_request_has_its_id(
        self, console: Console
    ) -> None:
        key = {"Authorization": f"Bearer cb_{CANARY}"}
        body = {"name": CANARY, "cases": [{"input": CANARY}]}
        with httpx2.Client(base_url=console.address, headers={"X-Request-Id": "request-0001"}, timeout=30) as browser:
            answered = browser.get("/healthz", params={"q": CANARY})
            browser.get("/api/v1/me", params={"q": CANARY}, headers=key)
            browser.post("/api/v1/datasets", json=body, headers=key)
            browser.post("/api/v1/datasets", content=b'{"name": "' + CANARY.encode(), headers=key)
            browser.get(f"/api/v1/{CANARY}")
            browser.post(f"/invitations/{CANARY}/", data={"password": CANARY})
        assert answered.headers["X-Request-Id"] == "request-0001"
        log = console.log.read_text()
        assert CANARY not in log, [line for line in log.splitlines() if CANARY in line]
        lines = [json.loads(line) for line in log.splitlines()]
        of_requests = [line for line in lines if line["event"] == "request"]
        assert len(of_requests) == 6
        assert {line["request_id"] for line in of_requests} == {"request-0001"}
        assert all({"method", "route", "status", "ms", "timestamp", "level"} <= line.keys() for line in of_requests)
