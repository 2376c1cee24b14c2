"""Two hundred imports whose process is killed at random moments, and what each left behind."""

import sys

from django.db import connection

from benchmarks.people import owner
from tests.datasets.kills import ROWS, kill_imports

KILLS = 200


def main() -> None:
    """Print what was left and every fault; end with 1 where there is one."""
    left = kill_imports(owner(), kills=KILLS)
    print(f"{connection.vendor}: {KILLS} imports of {ROWS} cases killed; left behind: {dict(left.found)}")
    print(f"faults: {len(left.faults)}")
    for fault in left.faults[:20]:
        print(f"  {fault}")
    if left.faults:
        sys.exit(1)
