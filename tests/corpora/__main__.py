"""`python -m tests.corpora`: part of `make test-environment`."""

import os
import sys

from tests.corpora import CorporaMissing, fetch
from tests.corpora.schema_suite import fetch_schema_suite

for fetch_one in (fetch, fetch_schema_suite):
    try:
        fetch_one()
    except CorporaMissing as missing:
        if os.environ.get("CI"):
            sys.exit(str(missing))
        print(f"» {missing} Until then these tests are skipped.")
