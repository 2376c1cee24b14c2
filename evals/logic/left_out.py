"""Cases that a test run does not ask, each with its cause (EV-20, EV-D6)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self
from uuid import UUID


class LeftOutCause(StrEnum):
    """Why a case is not asked."""

    ANONYMISED = "anonymised"  # an answer to the placeholder measures nothing
    NOTHING_TO_CHECK = "nothing_to_check"  # its answer could not be scored (SC-53)


@dataclass(frozen=True)
class LeftOut:
    """One case that is not asked."""

    case_id: UUID
    cause: LeftOutCause

    def as_json(self) -> dict[str, str]:
        """As a run keeps it."""
        return {"case": str(self.case_id), "cause": self.cause.value}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(UUID(stored["case"]), LeftOutCause(stored["cause"]))


def left_out_by_cause(left_out: Iterable[LeftOut]) -> dict[LeftOutCause, int]:
    """How many there are of each cause, in the order of the causes; those without any are not named."""
    counts = Counter(one.cause for one in left_out)
    return {cause: counts[cause] for cause in LeftOutCause if counts[cause]}
