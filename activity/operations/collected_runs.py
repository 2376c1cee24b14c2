"""Answers in isolation, many at once over one desk, kept in memory and stored in groups (EV-D12, EV-D13, EV-D17).

No step costs a statement of its own: whoever asks stores what has arrived together, with whatever else belongs to it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import anyio
from django.utils.translation import gettext as _

from accounts.actor import Actor
from activity.models import MessageRole, RunKind
from activity.operations import run_ends
from activity.operations.collected_answers import CollectedAnswer, Prepared, Turn
from activity.operations.collected_rows import store_alone, store_collected
from activity.queries.talking import find_agent_to_talk_to
from agents.logic.answerers import ModelAgent
from agents.loop.answering import answer
from agents.loop.budget_watch import BudgetWatch
from agents.loop.desk import Desk
from agents.loop.events import Ended, Ending, Event, ModelStep, ToolStep
from agents.loop.knowledge import passages_for
from agents.models import AgentVersion
from agents.provider import counted_waiting
from agents.queries.answering import CannotAnswer, answerer_of
from agents.queries.spending import budgets_of
from core.errors import Invalid, NotFound
from core.logging import logger
from core.texts import UNSTORABLE

log = logger("casebook.collected_runs")

ROLES = (MessageRole.USER, MessageRole.ASSISTANT)

__all__ = ["CollectedAnswer", "Prepared", "Turn", "answer_collected", "prepare_agent", "store_collected"]


def prepare_agent(actor: Actor, *, agent_id: UUID, number: int | None = None) -> Prepared:
    """A version of the agent (the newest without a number), ready to answer many questions for the actor.

    Access is asked now (EV-D14), and models, keys and budgets are read: raises `NotFound`, `NotAllowed` without
    `agents:run`, `Conflict` where the agent does not answer. What the version lacks to answer is told by each answer.
    """
    agent = find_agent_to_talk_to(actor, agent_id)
    versions = AgentVersion.objects.select_related("agent").filter(agent=agent, number=number or agent.newest_version)
    version = versions.first()
    if version is None:
        raise NotFound
    answerer, trouble = None, ""
    try:
        answerer = answerer_of(version)
    except CannotAnswer as reason:
        trouble = str(reason)
    watch = BudgetWatch(agent.pk, budgets_of(agent.pk))
    return Prepared(actor.organisation_id, agent.pk, version.pk, actor.member_id, answerer, watch, trouble)


async def answer_collected(
    desk: Desk[Any],
    prepared: Prepared,
    turns: Sequence[Turn],
    *,
    kind: RunKind = RunKind.EVAL,
    on_cut: Callable[[CollectedAnswer], None] | None = None,
) -> CollectedAnswer:
    """Let the agent answer the last of the turns, to be stored by `store_collected`; how it ended is in its `end`.

    `turns` are `{"role": "user" | "assistant", "content": str}`, the last one a user's. Raises `Invalid` where they are
    none, and nothing for what agent, tools or provider do. Cancelling stops the agent; what it did until then is stored
    here as a run that was stopped, because it was paid, and told to `on_cut`.
    """
    check_turns(turns)
    under_way = CollectedAnswer(prepared, kind, turns)
    host = _Host(desk, prepared, under_way)
    try:
        with counted_waiting() as under_way.waiting:
            end = await _end(host, turns)
        under_way.finish(end)
    except anyio.get_cancelled_exc_class():
        host.close()
        under_way.finish(run_ends.stopped())
        with anyio.CancelScope(shield=True):
            await desk.do(partial(store_alone, under_way))
        if on_cut:
            on_cut(under_way)
        raise
    except Exception:
        log.exception("answer_failed", run=str(under_way.run_id))
        under_way.finish(run_ends.fault())
    host.close()
    return under_way


async def _end(host: "_Host", turns: Sequence[Turn]) -> Ended:
    prepared = host.prepared
    if prepared.answerer is None:
        return Ended(Ending.FAILED, prepared.trouble)
    conversation_id = str(host.answer.conversation_id)
    return await answer(prepared.answerer, turns, host, conversation_id=conversation_id, isolated=True)


@dataclass
class _Host:
    """Of one answer: keeps its steps, and tells the budgets' watch of each call."""

    desk: Desk[Any]
    prepared: Prepared
    answer: CollectedAnswer
    is_calling: bool = False

    async def tell(self, event: Event) -> None:
        if isinstance(event, ModelStep | ToolStep):
            self.answer.add(event)
        if isinstance(event, ModelStep) and event.seconds is not None and self.is_calling:
            self.is_calling = False
            self.prepared.watch.end(event.cost)

    async def why_over_budget(self) -> str:
        self.close()
        why = await self.prepared.watch.begin(self.desk)
        self.is_calling = not why
        return why

    async def search_knowledge(self, query: str) -> str:
        bases = self.prepared.answerer.knowledge if isinstance(self.prepared.answerer, ModelAgent) else ()
        return await self.desk.do(partial(passages_for, bases, query))

    def close(self) -> None:
        """A call that brought no step is over."""
        if self.is_calling:
            self.is_calling = False
            self.prepared.watch.end(None)


def check_turns(turns: Sequence[Turn]) -> None:
    """Raises `Invalid` where these are no turns of a conversation whose last is a question."""
    if not turns or turns[-1].get("role") != MessageRole.USER:
        raise Invalid.at("turns", _("The last turn is a question."))
    for place, turn in enumerate(turns):
        content = turn.get("content")
        if turn.get("role") not in ROLES or not isinstance(content, str) or UNSTORABLE.search(content):
            raise Invalid.at(f"turns.{place}", _("A turn has a role, user or assistant, and a text."))
