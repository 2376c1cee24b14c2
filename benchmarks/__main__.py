"""`python -m benchmarks [activity | credentials | history | kills | knowledge | …]`: one of KINDS, on its own database.

`python -m tests.on_postgres python -m benchmarks history` takes PostgreSQL instead of SQLite.
"""

import sys
from importlib import import_module

from benchmarks.database import own_database

KINDS = (
    "speed",
    "history",
    "kills",
    "credentials",
    "versions",
    "ingest",
    "activity",
    "knowledge",
    "copied",
    "scoring",
    "judge",
    "killed_evals",
    "evals",
    "agreement",
    "review",
)

kind = sys.argv[1] if len(sys.argv) > 1 else KINDS[0]
if kind not in KINDS:
    sys.exit(f"Measure one of: {', '.join(KINDS)}.")
# The measurements import models, which is possible only once Django is set up.
with own_database():
    import_module(f"benchmarks.{kind}").main()
