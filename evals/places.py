"""The place that a later app fills: where the scores go that a completed test run sends to review (EV-41 to EV-44).

That app stands above this one, so it registers in `AppConfig.ready()`, and completing a run asks here. While nobody
did, what is to be sent is kept at the run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from evals.models import EvalRun


@dataclass(frozen=True)
class SentToReview:
    """How many scores got the place, and why the others did not: a cause for each, by the score's id."""

    sent: int = 0
    not_sent: Mapping[UUID, str] = field(default_factory=dict)


# Called in the transaction that completes the run, once; one score for each case and agent (EV-44, EV-D49).
SendToReview = Callable[["EvalRun", Sequence[UUID]], SentToReview]

_found: dict[str, SendToReview] = {}
_addresses: dict[str, str] = {}


def set_review(sender: SendToReview | None) -> None:
    """Have scores sent there from now on; None takes the place away."""
    _found.clear()
    if sender is not None:
        _found["review"] = sender


def set_review_address(url_name: str) -> None:
    """Let the page of a test run send chosen scores there (EV-45): a form posts `chosen` and `run` to the address of
    this name, which takes the dataset's id."""
    _addresses["review"] = url_name


def review_url_name() -> str:
    """Where chosen scores are sent; empty while no app reviews them."""
    return _addresses.get("review", "")


def review_sender() -> SendToReview | None:
    """Where scores are sent; None while no app reviews them."""
    return _found.get("review")
