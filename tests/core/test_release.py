"""The release that runs and that is kept with test runs."""

import tomllib

from config.environment import ROOT
from core.release import RELEASE


def test_the_release_is_that_of_the_project() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == RELEASE
