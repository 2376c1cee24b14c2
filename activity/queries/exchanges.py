"""A conversation as its page shows it: exchange by exchange, with runs, calls and the reader's own ratings (PL-30)."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from accounts.actor import Actor
from activity.logic.answers import Exchange, ShownStep, exchanges, shown_steps
from activity.models import Conversation, Feedback, Message, MessageRole, Run, RunStatus
from activity.queries.answers import answer_of

EXCHANGES_A_PAGE = 30


@dataclass(frozen=True)
class Figures:
    """What an answer took; None where nobody said it."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost: Decimal | None
    seconds: float | None


@dataclass(frozen=True)
class ShownExchange:
    """A question with its answer; `mine` is the reader's own rating of it, None without one."""

    exchange: Exchange[Message]
    mine: Feedback | None = None

    @property
    def question(self) -> Message | None:
        return self.exchange.question

    @property
    def last(self) -> Message | None:
        """The answer's last step, where its ratings and controls stand."""
        return self.exchange.last_step

    @property
    def text(self) -> str:
        return self.exchange.text

    @property
    def id_text(self) -> str:
        """The id of its first message: one that an exchange keeps while its answer grows."""
        return str((self.question or self.exchange.steps[0]).pk)

    @cached_property
    def steps(self) -> list[ShownStep[Message]]:
        return shown_steps(self.exchange.steps)

    @cached_property
    def run(self) -> Run | None:
        """The run that made the answer, the newest where there are several; None once retention removed it."""
        said = [*self.exchange.steps[::-1], *([self.question] if self.question else [])]
        return next((message.run for message in said if message.run), None)

    @property
    def is_running(self) -> bool:
        return self.run is not None and self.run.status == RunStatus.RUNNING

    @property
    def has_failed(self) -> bool:
        return self.run is not None and self.run.status not in (RunStatus.RUNNING, RunStatus.COMPLETED)

    @cached_property
    def figures(self) -> Figures:
        """Those of the run, or the sums of its steps."""
        if self.run:
            run = self.run
            return Figures(run.model, run.input_tokens, run.output_tokens, run.cost, run.seconds)
        steps = self.exchange.steps
        model = next((step.model for step in reversed(steps) if step.model), "")
        sums = [_sum(getattr(step, name) for step in steps) for name in ("input_tokens", "output_tokens")]
        return Figures(model, sums[0], sums[1], _sum(step.cost for step in steps), _sum(s.seconds for s in steps))


@dataclass(frozen=True)
class ExchangePage:
    """Some exchanges, the oldest first; `earlier` is the place before which more are found, None where none are."""

    rows: list[ShownExchange]
    earlier: int | None
    is_newest: bool


def exchange_page(actor: Actor, conversation: Conversation, *, before: int | None = None) -> ExchangePage:
    """The newest exchanges of a conversation that the actor may open, or those before a place; at most four queries."""
    rows = Message.objects.filter(conversation=conversation).exclude(role=MessageRole.SYSTEM)
    rows = rows.filter(position__lt=before) if before is not None else rows
    questions = rows.filter(role=MessageRole.USER).order_by("-position").values_list("position", flat=True)
    starts = list(questions[: EXCHANGES_A_PAGE + 1])
    first = starts[EXCHANGES_A_PAGE - 1] if len(starts) > EXCHANGES_A_PAGE else 0
    found = _said(rows.filter(position__gte=first))
    return ExchangePage(_shown(actor, exchanges(found)), first or None, before is None)


def exchange_of(actor: Actor, message: Message) -> ShownExchange:
    """The exchange around one message that the actor may read."""
    answer = answer_of(message)
    return _shown(actor, [Exchange(answer.question, answer.steps)])[0]


def _said(rows: QuerySet[Message]) -> QuerySet[Message]:
    return rows.select_related("run", "author__member__user").order_by("position")


def _shown(actor: Actor, found: list[Exchange[Message]]) -> list[ShownExchange]:
    steps = [step.pk for exchange in found for step in exchange.steps]
    mine = Feedback.objects.filter(message__in=steps, person__member=actor.member_id) if actor.member_id else []
    by_message = {row.message_id: row for row in sorted(mine, key=lambda row: row.changed_at)}
    shown = []
    for exchange in found:
        ratings = [by_message[step.pk] for step in exchange.steps if step.pk in by_message]
        shown.append(ShownExchange(exchange, ratings[-1] if ratings else None))
    return shown


def _sum(values: Iterable[object]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
