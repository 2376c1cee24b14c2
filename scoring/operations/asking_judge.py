"""Asking a judge's model about one answer: one call, and one more where that helps (SC-98, SC-D38, SC-D43, BC-23)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.utils import timezone

from activity.operations.helper_runs import HelperCalls
from agents.logic.targets import Provider
from agents.logic.usage import Usage, cost_of, sum_of_costs
from agents.loop.desk import Desk
from agents.provider import Ask, ProviderFailure, Reply, ask
from agents.queries.spending import why_over_budget
from core.limits import LIMITS
from scoring.logic.prompt import verdict_schema
from scoring.logic.provider_words import refused_parameter
from scoring.logic.replies import CUT_OFF_ENDS
from scoring.queries.judges import Judge

# Seconds that one try may take (SC-D43).
SECONDS = LIMITS.model_seconds
# Keywords that these providers refuse in a schema; the reading holds a grade against the scale itself.
REFUSED_KEYWORDS = frozenset({"minimum", "maximum"})
REFUSING_PROVIDERS = (Provider.OPENAI, Provider.AZURE)
TEMPERATURE, RESPONSE_FORMAT = "temperature", "response_format"

Messages = Callable[[bool], list[dict[str, str]]]


class Refused:
    """What each model refused by name, kept in this process for an hour, so that no answer pays for it again."""

    KEPT_SECONDS = 3600.0

    def __init__(self) -> None:
        self._until: dict[tuple[str, str, str], float] = {}

    def add(self, judge: Judge, parameter: str) -> None:
        self._until[self._key(judge, parameter)] = time.monotonic() + self.KEPT_SECONDS

    def of(self, judge: Judge) -> set[str]:
        now = time.monotonic()
        names = (TEMPERATURE, RESPONSE_FORMAT)
        return {name for name in names if self._until.get(self._key(judge, name), 0) > now}

    def forget(self) -> None:
        self._until.clear()

    def _key(self, judge: Judge, parameter: str) -> tuple[str, str, str]:
        return judge.asked.target.base_url, judge.asked.name, parameter


REFUSED = Refused()


@dataclass
class Asking:
    """The calls for one answer; `messages(True)` has the schema in its text.

    Afterwards `reply` is what the model answered last, or `failure` why the provider gave none, or `over_budget` why no
    further call was paid for; `temperature` is the one that was sent.
    """

    desk: Desk[Any]
    judge: Judge
    messages: Messages
    scale: int
    temperature: float | None = field(init=False)
    takes_schema: bool = field(init=False)
    replies: list[Reply] = field(default_factory=list)
    failure: ProviderFailure | None = None
    over_budget: str = ""
    calls: int = 0
    sent: str = ""
    began_at: datetime = field(default_factory=timezone.now)
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        refused = REFUSED.of(self.judge)
        self.temperature = None if TEMPERATURE in refused else self.judge.asked.temperature
        self.takes_schema = self.judge.takes_json_schema and RESPONSE_FORMAT not in refused

    @property
    def reply(self) -> Reply | None:
        return self.replies[-1] if self.replies else None

    async def ask(self) -> None:
        """Ask until there is a reply or a failure.

        What the provider refuses by name is left out and asked once more; a reply that was cut off at the token limit
        is asked for once more. The budgets are asked before each call; before the first whoever found the judge did.
        """
        while True:
            try:
                self.replies.append(await self._call())
            except ProviderFailure as failure:
                if not self._leaves_out(refused_parameter(failure.status, failure.said)):
                    self.failure = failure
                    return
            else:
                if self.replies[-1].finish_reason not in CUT_OFF_ENDS or len(self.replies) > 1:
                    return
            self.over_budget = await self._why_over_budget()
            if self.over_budget:
                return

    def taken(self) -> HelperCalls:
        """What the calls took together; the cost is None where that of one is not known."""
        usage: Usage | None = None
        for reply in self.replies:
            if reply.usage is not None:
                usage = reply.usage if usage is None else usage + reply.usage
        model = next((reply.model for reply in reversed(self.replies) if reply.model), self.judge.asked.name)
        return HelperCalls(
            began_at=self.began_at,
            seconds=time.monotonic() - self.began,
            model=model[: LIMITS.model_name_characters],
            calls=self.calls,
            usage=usage,
            cost=self.cost(),
        )

    def cost(self) -> Decimal | None:
        """In USD; a call that the provider refused costs nothing."""
        prices = self.judge.asked.prices
        if prices is None:
            return None
        return sum_of_costs(None if reply.usage is None else cost_of(reply.usage, prices) for reply in self.replies)

    async def _call(self) -> Reply:
        self.calls += 1
        messages = self.messages(not self.takes_schema)
        self.sent = messages[-1]["content"]
        settings = (
            {RESPONSE_FORMAT: response_format(self.scale, self.judge.asked.target.provider)}
            if self.takes_schema
            else {}
        )
        question = Ask(self.judge.asked.name, messages, temperature=self.temperature, settings=settings)
        return await ask(self.judge.asked.target, question, seconds=SECONDS)

    def _leaves_out(self, parameter: str) -> bool:
        """Whether the parameter was sent, and is not from now on."""
        if parameter == TEMPERATURE and self.temperature is not None:
            self.temperature = None
        elif parameter == RESPONSE_FORMAT and self.takes_schema:
            self.takes_schema = False
        else:
            return False
        REFUSED.add(self.judge, parameter)
        return True

    async def _why_over_budget(self) -> str:
        agent_id = self.judge.agent_id
        return await self.desk.do(partial(why_over_budget, agent_id)) if agent_id else ""


def response_format(scale: int, provider: Provider) -> dict[str, Any]:
    """The schema of a reply as the provider takes it beside the messages (SC-D38)."""
    schema = verdict_schema(scale)
    schema = _without(schema) if provider in REFUSING_PROVIDERS else schema
    return {"type": "json_schema", "json_schema": {"name": "verdicts", "strict": True, "schema": schema}}


def _without(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _without(value) for key, value in schema.items() if key not in REFUSED_KEYWORDS}
    return [_without(value) for value in schema] if isinstance(schema, list) else schema
