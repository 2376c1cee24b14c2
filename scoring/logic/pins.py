"""Pin: by which judge and in which way an answer was graded, kept whether that judge graded or failed (SC-146, SC-147).

A score with no judge part has none.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from core.problems import gettext_noop
from scoring.logic.hashes import sha256_of_json

BUILT_IN, AGENT = "built_in", "agent"

# The fields that must be equal for grades to be comparable (SC-D5), with what people call them.
COMPARED: Mapping[str, str] = {
    "judge_id": gettext_noop("Judge"),
    "judge_version": gettext_noop("Judge's version"),
    "model": gettext_noop("Model"),
    "criteria_hash": gettext_noop("Criteria"),
    "task_version": gettext_noop("Judge's task"),
    "instructions_hash": gettext_noop("Instructions"),
}


@dataclass(frozen=True)
class Pin:
    """The fields of SC-D4. What is not known, because the judge or its model is gone, is None.

    `judge_kind` is `built_in` or `agent`, `judge_id` the agent's id as text, `model` what the provider calls it;
    `temperature` is as sent, None when none was.
    """

    judge_kind: str
    judge_id: str | None
    judge_version: int | None
    provider: str | None
    model: str | None
    criteria_hash: str
    task_version: int
    instructions_hash: str
    temperature: float | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: Mapping[str, Any] | None) -> Self | None:
        return cls(**stored) if stored else None


def pin_hash(pin: Pin | None) -> str:
    """Equal just where grades are comparable; empty without a judge part (SC-D5)."""
    return sha256_of_json([getattr(pin, name) for name in COMPARED]) if pin else ""


def differing_fields(one: Pin | None, other: Pin | None) -> tuple[str, ...]:
    """The names of the compared fields that differ, in the order of `COMPARED`; all of them where one has no pin."""
    if one is None or other is None:
        return () if one is other else tuple(COMPARED)
    return tuple(name for name in COMPARED if getattr(one, name) != getattr(other, name))
