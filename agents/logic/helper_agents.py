"""The helpers: what each is for. They are defined here and nowhere else; a row only carries budget and runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.problems import gettext_noop


@dataclass(frozen=True)
class AboutHelper:
    """Name and purpose as people read them, in English."""

    name: str
    purpose: str


# By the value of `Agent.helper`.
HELPERS: Mapping[str, AboutHelper] = {
    "judge": AboutHelper(
        gettext_noop("Judge"), gettext_noop("Grades answers by the criteria of a dataset. It has no tools.")
    ),
    "case_generator": AboutHelper(
        gettext_noop("Case generator"), gettext_noop("Proposes cases for a dataset. It has no tools.")
    ),
    "improver": AboutHelper(
        gettext_noop("Improver"), gettext_noop("Proposes better wordings of criteria and cases. It has no tools.")
    ),
}
