"""Surroundings: what reading a draft needs from outside of it."""

from dataclasses import dataclass

from core.reading_child import ReadingChild


@dataclass(frozen=True)
class Surroundings:
    """`child` reads schemas where they do no harm; the operator lets `allowed_hosts` be called (PL-26)."""

    child: ReadingChild
    allowed_hosts: tuple[str, ...] = ()
