"""One runner for the tests that ask the child process, since starting it takes longer than most of them."""

import os
from collections.abc import Iterator

import pytest

from scoring.logic import checking_child
from scoring.logic.checks import CheckRunner

# Where `make mutants` says which change of the code is tried; the child has to try it too.
MUTANT = "MUTANT_UNDER_TEST"


@pytest.fixture(scope="package", autouse=True)
def _child_with_the_mutant() -> None:
    if os.environ.get(MUTANT, "").startswith("scoring."):
        checking_child.ENVIRONMENT[MUTANT] = os.environ[MUTANT]


@pytest.fixture(scope="package")
def runner() -> Iterator[CheckRunner]:
    with CheckRunner() as one:
        yield one
