"""One runner for the tests that ask the child process, since starting it takes longer than most of them."""

from collections.abc import Iterator

import pytest

from scoring.logic.checks import CheckRunner


@pytest.fixture(scope="package")
def runner() -> Iterator[CheckRunner]:
    with CheckRunner() as one:
        yield one
