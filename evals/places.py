"""The places that a later app fills: where a completed run's scores are sent, and what people decided since.

Scores go to people by EV-41 to EV-44; decisions are told of by EV-D34.

That app stands above this one, so it registers in `AppConfig.ready()`, and completing a run asks here. While nobody
did, what is to be sent is kept at the run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from datetime import datetime

    from evals.models import EvalRun


@dataclass(frozen=True)
class SentToReview:
    """How many scores got the place, and why the others did not: a cause for each, by the score's id."""

    sent: int = 0
    not_sent: Mapping[UUID, str] = field(default_factory=dict)


# Called in the transaction that completes the run, once; one score for each case and agent (EV-44, EV-D49).
SendToReview = Callable[["EvalRun", Sequence[UUID]], SentToReview]


@dataclass(frozen=True)
class DecidedLater:
    """How many answers of a run were decided by a person after it had completed, and since when (EV-D34)."""

    count: int
    since: "datetime"


FindDecidedLater = Callable[["EvalRun"], DecidedLater | None]

_found: dict[str, SendToReview] = {}
_addresses: dict[str, str] = {}
_decisions: dict[str, FindDecidedLater] = {}


def set_review(sender: SendToReview | None) -> None:
    """Have scores sent there from now on; None takes the place away."""
    _found.clear()
    if sender is not None:
        _found["review"] = sender


def set_review_address(url_name: str) -> None:
    """Let the page of a test run send chosen scores there (EV-45): a form posts `chosen` and `run` to the address of
    this name, which takes the dataset's id."""
    _addresses["review"] = url_name


def set_decisions(find: FindDecidedLater) -> None:
    """Say what people decided of a run's answers; registering again replaces it."""
    _decisions["review"] = find


def decided_later(run: "EvalRun") -> DecidedLater | None:
    """What people decided of a run's answers since it completed; None where nothing, or while nobody decides."""
    return _decisions["review"](run) if _decisions else None


def review_url_name() -> str:
    """Where chosen scores are sent; empty while no app reviews them."""
    return _addresses.get("review", "")


def review_sender() -> SendToReview | None:
    """Where scores are sent; None while no app reviews them."""
    return _found.get("review")
