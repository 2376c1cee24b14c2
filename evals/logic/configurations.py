"""What differs between the configurations of two test runs: the head of a comparison (EV-D39, EV-38)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.problems import gettext_noop
from scoring.logic.pins import Pin, differing_fields
from scoring.logic.settings_changes import completed, differences

# By what people call them, in the order in which they are listed.
PARTS: Mapping[str, str] = {
    "agent": gettext_noop("Agent"),
    "agent_version": gettext_noop("Agent version"),
    "answers": gettext_noop("Stored answers"),
    "model": gettext_noop("Model"),
    "dataset_version": gettext_noop("Dataset version"),
    "settings": gettext_noop("Grading settings"),
    "pin": gettext_noop("Judge"),
}


@dataclass(frozen=True)
class Configuration:
    """What a run was started with, as far as it is compared. `agent` is an id, None where none is known.

    `answers` is the id of the set of stored answers that was graded, None where an agent was asked. `settings` are the
    grading settings as they are stored, `pin` the judge, None where none takes part.
    """

    agent: str | None
    agent_version: int | None
    model: str
    dataset_version: int
    settings: Mapping[str, Any]
    pin: Pin | None = None
    answers: str | None = None


@dataclass(frozen=True)
class Difference:
    """`part` is one of `PARTS`, `old` and `new` are its values; `fields` name what differs in settings and pins."""

    part: str
    old: Any = None
    new: Any = None
    fields: tuple[str, ...] = ()


def differing(before: Configuration, after: Configuration) -> tuple[Difference, ...]:
    """What differs, in the order of `PARTS`; nothing between two runs of the same choices.

    Versions of different agents are listed too where the numbers are equal: they are versions of different things.
    """
    found = []
    is_other_agent = before.agent != after.agent
    for part in ("agent", "agent_version", "answers", "model", "dataset_version"):
        old, new = getattr(before, part), getattr(after, part)
        if old != new or (part == "agent_version" and is_other_agent):
            found.append(Difference(part, old, new))
    settings = tuple(one.key for one in differences(completed(before.settings), completed(after.settings)))
    if settings:
        found.append(Difference("settings", fields=settings))
    judged = differing_fields(before.pin, after.pin)
    if judged:
        found.append(Difference("pin", before.pin, after.pin, judged))
    return tuple(found)
