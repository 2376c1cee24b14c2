"""Measuring one act in this process: how long it takes and how often it asks the database."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


def median_and_queries(act: Callable[[], Any], repeats: int) -> tuple[float, int]:
    """Milliseconds, the median of so many times, and queries of one time, which is not among those."""
    with CaptureQueriesContext(connection) as captured:
        act()
    times = []
    for _repeat in range(repeats):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), len(captured)


def analyse() -> None:
    """Let PostgreSQL gather its statistics now: it does so by itself, though later. SQLite is asked for none."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
