"""Eight writers with 2,500 operations each on one dataset, and whether the database holds what they were told."""

import sys
import time
from collections import Counter

from django.db import connection

from benchmarks.people import owner
from datasets.models import CaseRevision
from datasets.operations.datasets import create_dataset
from tests.datasets.history import faults_of, write_side_by_side

WRITERS = 8
OPERATIONS = 2_500


def main() -> None:
    """Print what was done and every fault; end with 1 where there is one."""
    actor = owner()
    dataset = create_dataset(actor, name="History")
    began = time.perf_counter()
    told = write_side_by_side(actor, dataset, writers=WRITERS, operations=OPERATIONS)
    seconds = time.perf_counter() - began
    faults = faults_of(dataset, told)
    print(f"{connection.vendor}: {WRITERS} writers, {WRITERS * OPERATIONS:,} operations in {seconds:.0f} s")
    print(f"versions made: {len(told.made):,} {dict(Counter(made.act for made in told.made).most_common())}")
    print(
        f"refused: {told.refused.total():,} {dict(told.refused.most_common())}; nothing to change: {told.unchanged:,}"
    )
    print(f"newest version {dataset.newest_version:,}, {CaseRevision.objects.count():,} revisions")
    print(f"faults: {len(faults)}")
    for fault in faults[:20]:
        print(f"  {fault}")
    if faults:
        sys.exit(1)
