"""`python -m tests.corpora`: part of `make test-environment`."""

import os
import sys

from tests.corpora import CorporaMissing, fetch

try:
    fetch()
except CorporaMissing as missing:
    if os.environ.get("CI"):
        sys.exit(str(missing))
    print(f"» {missing} Until then these tests are skipped.")
