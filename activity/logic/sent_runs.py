"""Reading runs as integrators send them: one, or many at once, every bad one named by its place (PL-32)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from activity.logic.openai_messages import SentMessage, read_messages
from activity.logic.sent_values import (
    Wrong,
    at_most_external,
    read_money,
    read_seconds,
    read_text,
    read_time,
    read_tokens,
)
from agents.logic.usage import Usage
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import too_long, unknown_keys, wrong_type

STATUSES = ("completed", "failed", "max_steps", "timed_out", "over_budget", "cancelled")
KINDS = ("production", "isolated")
RATINGS = ("up", "down")
KNOWN = (
    "agent",
    "version",
    "conversation",
    "person",
    "messages",
    "model",
    "usage",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost",
    "seconds",
    "latency_ms",
    "status",
    "error",
    "kind",
    "started_at",
    "finished_at",
    "idempotency_key",
    "feedback",
)
_KNOWN = frozenset(KNOWN)
NO_ID = gettext_noop("This is no id.")


@dataclass(slots=True)
class SentRating:
    """What a person thought of the answer; `person` is an external id, None for the run's own person or nobody."""

    rating: str
    comment: str = ""
    person: str | None = None


@dataclass(slots=True)
class SentRun:
    """One run as it was sent, its values read. What nobody said is None, and 0 is a value (BC-38)."""

    agent_id: UUID
    messages: list[SentMessage]
    version: int | None = None
    conversation: str | None = None
    person: str | None = None
    model: str = ""
    usage: Usage | None = None
    cost: Decimal | None = None
    seconds: float | None = None
    status: str = "completed"
    error: str = ""
    kind: str = "production"
    started_at: datetime | None = None
    finished_at: datetime | None = None
    idempotency_key: str | None = None
    feedback: SentRating | None = None
    trace_id: str = field(default="", compare=False)


NOBODY = UUID(int=0)


def read_runs(body: Any) -> tuple[list[SentRun], list[Problem]]:
    """The runs of a body: an object is one run, a list or `{"runs": […]}` many; or every problem of all of them."""
    items, path = listed(body, "runs")
    wrong: Wrong = []
    if items is None:
        wrong.append(wrong_type(gettext_noop("Send a run, or a list of runs, not %(type)s."), body))
        return [], wrong
    if path and not items:
        return [], [Problem("runs", gettext_noop("The list is empty."))]
    if len(items) > LIMITS.runs_a_request:
        values = {"limit": LIMITS.runs_a_request, "count": len(items)}
        return [], [Problem("runs", gettext_noop("At most %(limit)d runs at once; these are %(count)d."), values)]
    runs = []
    for place, item in enumerate(items):
        mine: Wrong = []
        runs.append(read_run(item, mine))
        wrong += [problem.under("runs", place) for problem in mine] if path else mine
    return runs, wrong


def listed(body: Any, name: str) -> tuple[list[Any] | None, bool]:
    """What a body holds, and whether it was sent as a list; None where it is neither an object nor a list."""
    if isinstance(body, list):
        return body, True
    if isinstance(body, dict):
        inner = body.get(name)
        return (inner, True) if isinstance(inner, list) and len(body) == 1 else ([body], False)
    return None, False


def read_run(item: Any, wrong: Wrong) -> SentRun:
    """One run; what is wrong with it is added to `wrong`."""
    if not isinstance(item, dict):
        wrong.append(wrong_type(gettext_noop("A run is an object, not %(type)s."), item))
        return SentRun(NOBODY, [])
    if item.keys() - _KNOWN:
        wrong += unknown_keys(item, KNOWN)
    run = SentRun(read_id(item.get("agent"), "agent", wrong), read_messages(item.get("messages"), wrong))
    run.conversation = at_most_external(item.get("conversation"), name="conversation", wrong=wrong)
    run.person = at_most_external(item.get("person"), name="person", wrong=wrong)
    run.model = read_text(item.get("model"), LIMITS.model_name_characters, name="model", wrong=wrong, blank=True)
    run.usage = read_tokens(item, wrong)
    run.cost = read_money(item.get("cost"), name="cost", wrong=wrong)
    run.seconds = read_seconds(item, wrong)
    run.version = _version(item.get("version"), wrong)
    run.kind = _one_of(item.get("kind"), KINDS, "kind", wrong)
    run.idempotency_key = _key(item.get("idempotency_key"), wrong)
    _read_end(item, run, wrong)
    _read_times(item, run, wrong)
    if item.get("feedback") is not None:
        run.feedback = _read_feedback(item["feedback"], run, wrong)
    return run


def read_id(value: Any, name: str, wrong: Wrong) -> UUID:
    """A UUID in its usual spelling."""
    try:
        if isinstance(value, str) and len(value) == 36:
            return UUID(value)
    except ValueError:
        pass
    wrong.append(Problem(name, NO_ID))
    return NOBODY


def read_rating(item: Mapping[str, Any], wrong: Wrong) -> SentRating:
    """Thumb, comment and person of a rating."""
    rating = item.get("rating")
    if rating not in RATINGS:
        wrong.append(Problem("rating", gettext_noop("The rating is up or down.")))
        rating = "up"
    comment = read_text(
        item.get("comment"), LIMITS.feedback_comment_characters, name="comment", wrong=wrong, blank=True
    )
    person = at_most_external(item.get("person"), name="person", wrong=wrong)
    return SentRating(rating, comment, person)


def _read_feedback(item: Any, run: SentRun, wrong: Wrong) -> SentRating | None:
    if not isinstance(item, dict):
        wrong.append(wrong_type(gettext_noop("This must be an object, not %(type)s."), item).under("feedback"))
        return None
    mine: Wrong = list(unknown_keys(item, ("rating", "comment", "person")))
    found = read_rating(item, mine)
    if not any(message.role == "assistant" for message in run.messages):
        mine.append(Problem("", gettext_noop("There is no answer to rate: no message of the assistant.")))
    wrong += [problem.under("feedback") for problem in mine]
    return found


def _read_end(item: Mapping[str, Any], run: SentRun, wrong: Wrong) -> None:
    """How it ended; an error that is told makes it a failed one."""
    run.error = read_text(item.get("error"), LIMITS.run_error_characters, name="error", wrong=wrong, blank=True)
    if item.get("status") is None:
        run.status = "failed" if run.error else "completed"
        return
    run.status = _one_of(item["status"], STATUSES, "status", wrong)
    if run.error and run.status == "completed":
        text = gettext_noop("A run with an error is not completed; send another status.")
        wrong.append(Problem("status", text))


def _read_times(item: Mapping[str, Any], run: SentRun, wrong: Wrong) -> None:
    """Beginning, end and duration; what can be told from the other two is."""
    run.started_at = read_time(item.get("started_at"), name="started_at", wrong=wrong)
    run.finished_at = read_time(item.get("finished_at"), name="finished_at", wrong=wrong)
    if run.started_at and run.finished_at:
        if run.finished_at < run.started_at:
            wrong.append(Problem("finished_at", gettext_noop("The run ends before it begins.")))
        elif run.seconds is None:
            run.seconds = (run.finished_at - run.started_at).total_seconds()
    elif run.seconds is not None and (run.started_at or run.finished_at):
        taken = timedelta(seconds=run.seconds)
        if run.started_at:
            run.finished_at = run.started_at + taken
        elif run.finished_at:
            run.started_at = run.finished_at - taken
    elif run.finished_at:
        run.started_at = run.finished_at


def _version(value: Any, wrong: Wrong) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31):
        return value
    wrong.append(Problem("version", gettext_noop("This is the number of a published version of the agent.")))
    return None


def _key(value: Any, wrong: Wrong) -> str | None:
    if value is None:
        return None
    most = LIMITS.idempotency_key_characters
    if isinstance(value, str) and len(value) > most:
        wrong.append(too_long(most, len(value)).under("idempotency_key"))
        return None
    return read_text(value, most, name="idempotency_key", wrong=wrong) or None


def _one_of(value: Any, known: tuple[str, ...], name: str, wrong: Wrong) -> str:
    if value is None:
        return known[0]
    if value not in known:
        wrong.append(Problem(name, gettext_noop("This is one of %(known)s."), {"known": ", ".join(known)}))
        return known[0]
    return str(value)
