"""Isolated runs: an agent answers in a conversation of its own, and no tool of it changes anything (EV-D12, EV-D13).

One answer at a time, stored as soon as it ended; many at once are asked for and stored as collected_runs says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from activity.models import Run, RunKind
from activity.operations.collected_answers import Turn
from activity.operations.collected_rows import store_alone
from activity.operations.collected_runs import answer_collected, check_turns, prepare_agent
from agents.loop.desk import Desk, run_attended
from agents.loop.events import Ended


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
    check_turns(turns)
    prepared = await desk.do(partial(prepare_agent, actor, agent_id=agent_id, number=number))
    answer = await answer_collected(desk, prepared, turns, kind=kind)
    return IsolatedAnswer(await desk.do(partial(store_alone, answer)), answer.end)
