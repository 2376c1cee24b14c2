"""Offer: whether an act is shown to somebody, and why it is disabled where it is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Offer:
    """Whether an act is shown to somebody; shown with a `reason` it is disabled and says why (ACC-11, ACC-12)."""

    is_shown: bool
    reason: str = ""


OFFERED, NOT_OFFERED = Offer(True), Offer(False)
