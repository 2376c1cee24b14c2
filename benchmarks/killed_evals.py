"""A worker process that is killed a hundred times while it works on test runs, and what became of the runs."""

import sys
import time

from django.db import connection

from tests.cast import make_cast
from tests.evals.kills import kill_workers

KILLS, CASES = 100, 2_000


def main() -> None:
    """Print what was asked, what was asked again, and every fault; end with 1 where there is one."""
    began = time.monotonic()
    seen = kill_workers(make_cast(), kills=KILLS, cases=CASES)
    took = time.monotonic() - began
    print(f"{connection.vendor}: {seen.kills} kills of the worker in {seen.runs} runs of {CASES} cases, {took:.0f} s")
    print(f"killed while the run was: {dict(seen.states)}")
    print(f"first answers stored: {seen.answers}; calls: {dict(seen.asked)}; begun again unstored: {dict(seen.again)}")
    print(f"faults: {len(seen.faults)}")
    for fault in seen.faults[:20]:
        print(f"  {fault}")
    if seen.faults:
        sys.exit(1)
