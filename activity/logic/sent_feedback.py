"""Reading ratings as integrators send them: one or many, each naming its answer by message, run or key (PL-32)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from activity.logic.sent_runs import SentRating, listed, read_id, read_rating
from activity.logic.sent_values import Wrong, read_text
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import unknown_keys, wrong_type

KNOWN = ("message", "run", "idempotency_key", "rating", "comment", "person")
PLACES = ("message", "run", "idempotency_key")


@dataclass(slots=True)
class SentFeedback:
    """A rating and what it rates: exactly one of the three names it."""

    rating: SentRating
    message_id: UUID | None = None
    run_id: UUID | None = None
    idempotency_key: str | None = None


def read_feedback(body: Any) -> tuple[list[SentFeedback], list[Problem]]:
    """The ratings of a body: an object is one, a list or `{"feedback": […]}` many; or every problem of all of them."""
    items, path = listed(body, "feedback")
    if items is None:
        return [], [wrong_type(gettext_noop("Send a rating, or a list of ratings, not %(type)s."), body)]
    if path and not items:
        return [], [Problem("feedback", gettext_noop("The list is empty."))]
    if len(items) > LIMITS.runs_a_request:
        values = {"limit": LIMITS.runs_a_request, "count": len(items)}
        return [], [Problem("feedback", gettext_noop("At most %(limit)d; this has %(count)d."), values)]
    found, wrong = [], []
    for place, item in enumerate(items):
        mine: Wrong = []
        found.append(_read(item, mine))
        wrong += [problem.under("feedback", place) for problem in mine] if path else mine
    return found, wrong


def _read(item: Any, wrong: Wrong) -> SentFeedback:
    if not isinstance(item, dict):
        wrong.append(wrong_type(gettext_noop("A rating is an object, not %(type)s."), item))
        return SentFeedback(SentRating("up"))
    wrong += unknown_keys(item, KNOWN)
    sent = SentFeedback(read_rating(item, wrong))
    named = [name for name in PLACES if item.get(name) is not None]
    if len(named) != 1:
        text = gettext_noop("Name the answer by exactly one of message, run and idempotency_key.")
        wrong.append(Problem(named[1] if named else "message", text))
    if "message" in named:
        sent.message_id = read_id(item["message"], "message", wrong)
    if "run" in named:
        sent.run_id = read_id(item["run"], "run", wrong)
    if "idempotency_key" in named:
        most = LIMITS.idempotency_key_characters
        sent.idempotency_key = read_text(item["idempotency_key"], most, name="idempotency_key", wrong=wrong)
    return sent
