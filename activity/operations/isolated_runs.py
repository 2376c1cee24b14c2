"""Isolated runs: an agent answers in a conversation of its own, and no tool of it changes anything (EV-D12, EV-D13).

Many may run at once in one process: a coroutine over one desk awaits `answer_isolated` as often as it likes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import anyio
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.actor import Actor
from activity.models import Conversation, Message, MessageRole, Run, RunKind
from activity.operations import run_ends
from activity.operations.hosting import answer_over_desk
from activity.operations.recording import Recorder, RunIsGone, append_message
from activity.queries.talking import find_agent_to_talk_to
from agents.loop.desk import Desk, run_attended
from agents.loop.events import Ended, Ending
from agents.models import AgentVersion
from agents.queries.answering import CannotAnswer, answerer_of
from core.errors import Invalid, NotFound
from core.folding import fold
from core.limits import LIMITS
from core.logging import logger
from core.texts import UNSTORABLE

log = logger("casebook.isolated_runs")

ROLES = (MessageRole.USER, MessageRole.ASSISTANT)
Turn = Mapping[str, Any]


@dataclass(frozen=True)
class IsolatedAnswer:
    """A run that ended, and how: `end.may_pass` says whether another try may bring an answer (EV-D23)."""

    run: Run
    end: Ended


def run_isolated(
    actor: Actor, *, agent_id: UUID, turns: Sequence[Turn], number: int | None = None, kind: RunKind = RunKind.ISOLATED
) -> IsolatedAnswer:
    """Let a version of the agent (the newest without a number) answer the last of the turns.

    `turns` are `{"role": "user" | "assistant", "content": str}`, the last one a user's. Raises what `answer_isolated`
    does. Not to be called inside a transaction: an answer may take minutes.
    """
    return run_attended(
        lambda desk: answer_isolated(desk, actor, agent_id=agent_id, turns=turns, number=number, kind=kind)
    )


async def answer_isolated(
    desk: Desk[Any],
    actor: Actor,
    *,
    agent_id: UUID,
    turns: Sequence[Turn],
    number: int | None = None,
    kind: RunKind = RunKind.EVAL,
) -> IsolatedAnswer:
    """The same over a desk that others use at the same time.

    How the agent ended is in the run's status, also where it failed. Cancelling stops the agent and ends the run as
    cancelled. Access is asked now (EV-D14): raises `NotFound`, `NotAllowed` without `agents:run`, `Conflict` where the
    agent does not answer, `Invalid` for turns that are none.
    """
    recorder, version = await desk.do(partial(_begin, actor, agent_id, number, list(turns), kind))
    end = run_ends.stopped()
    try:
        end = await _answered(desk, recorder, version, turns)
    except RunIsGone:
        end = run_ends.deleted()
    except Exception:
        log.exception("answer_failed", run=str(recorder.run.pk))
        end = run_ends.fault()
    finally:
        with anyio.CancelScope(shield=True):
            await desk.do(partial(recorder.finish, end))
    return IsolatedAnswer(recorder.run, end)


async def _answered(desk: Desk[Any], recorder: Recorder, version: AgentVersion, turns: Sequence[Turn]) -> Ended:
    try:
        answerer = await desk.do(partial(answerer_of, version))
    except CannotAnswer as reason:
        return Ended(Ending.FAILED, str(reason))
    return await answer_over_desk(desk, recorder, answerer, turns, isolated=True)


@transaction.atomic
def _begin(
    actor: Actor, agent_id: UUID, number: int | None, turns: Sequence[Turn], kind: RunKind
) -> tuple[Recorder, AgentVersion]:
    """The conversation with its turns and the run, stored together; nobody owns it, so `runs:view` reads it."""
    _check(turns)
    agent = find_agent_to_talk_to(actor, agent_id)
    versions = AgentVersion.objects.select_related("agent").filter(agent=agent, number=number or agent.newest_version)
    version = versions.first()
    if version is None:
        raise NotFound
    beginning = turns[-1]["content"][: LIMITS.run_question_characters]
    conversation = Conversation.objects.create(organisation=actor.organisation, agent=version.agent)
    run = Run.objects.create(
        organisation=actor.organisation,
        agent=version.agent,
        agent_version=version,
        conversation=conversation,
        started_by=actor.member,
        kind=kind,
        question=beginning,
        question_folded=fold(beginning)[: LIMITS.run_question_characters * 2],
    )
    earlier = [
        Message(conversation=conversation, position=place, role=turn["role"], text=turn["content"])
        for place, turn in enumerate(turns[:-1], start=1)
    ]
    Message.objects.bulk_create(earlier)
    Conversation.objects.filter(pk=conversation.pk).update(next_position=len(turns))
    append_message(conversation.pk, person_id=None, run=run, role=MessageRole.USER, text=turns[-1]["content"])
    return Recorder(run, conversation.pk, version.agent_id), version


def _check(turns: Sequence[Turn]) -> None:
    if not turns or turns[-1].get("role") != MessageRole.USER:
        raise Invalid.at("turns", _("The last turn is a question."))
    for place, turn in enumerate(turns):
        content = turn.get("content")
        if turn.get("role") not in ROLES or not isinstance(content, str) or UNSTORABLE.search(content):
            raise Invalid.at(f"turns.{place}", _("A turn has a role, user or assistant, and a text."))
