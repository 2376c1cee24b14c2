"""What every test of review begins with."""

import pytest

from scoring.operations.asking_judge import REFUSED


@pytest.fixture(autouse=True)
def nothing_refused() -> None:
    """A provider of another test, which had the same address, refused nothing."""
    REFUSED.forget()
