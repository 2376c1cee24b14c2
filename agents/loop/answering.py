"""Letting an agent answer, whatever its kind: the one way in, which keeps the time limit (PL-23)."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from agents.logic.answerers import Answerer, ModelAgent
from agents.logic.history import Sent
from agents.loop.endpoint_agent import EndpointCallout
from agents.loop.events import Ended, Ending
from agents.loop.host import Host
from agents.loop.model_agent import ModelLoop
from agents.provider import limit_of


async def answer(
    answerer: Answerer, messages: Sequence[Sent], host: Host, *, conversation_id: str = "", isolated: bool = False
) -> Ended:
    """Let the agent answer the last of the messages (chat API shape), telling the host each event; how it ended.

    Every way in which it may end is an `Ended` with its cause; cancelling this cancels what is under way. `isolated`
    executes no tool but those that only read (PL-22). The time limit is the agent's own, by a clock that never steps
    back, over the whole answer but for waiting that is counted apart (EV-D23).
    """
    under_way: ModelLoop | EndpointCallout
    if isinstance(answerer, ModelAgent):
        under_way = ModelLoop(answerer, messages, host, isolated)
    else:
        under_way = EndpointCallout(answerer, messages, host, conversation_id, isolated)
    with limit_of(answerer.seconds):
        return await under_way.run()
    await under_way.stop()
    words = _("The agent reached its time limit (%(seconds)g s) without a final answer.")
    return Ended(Ending.TIMED_OUT, words % {"seconds": answerer.seconds})
