"""What runs from outside used and cost: as they say, else from their steps, else by the prices of their models."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from activity.logic.openai_messages import SentMessage, own_part
from activity.logic.sent_runs import SentRun
from activity.logic.sent_values import as_money
from agents.logic.usage import Usage, cost_of, sum_of_costs
from agents.queries.model_prices import prices_by_name


@dataclass(slots=True)
class Measures:
    """Tokens and cost (USD) of a run, None where nobody said them; `only_step` is the step they all belong to."""

    model: str
    usage: Usage | None
    cost: Decimal | None
    only_step: SentMessage | None
    pricing: "Pricing"

    @property
    def input(self) -> int | None:
        return self.usage.input if self.usage else None

    @property
    def cached(self) -> int | None:
        return self.usage.cached if self.usage else None

    @property
    def output(self) -> int | None:
        return self.usage.output if self.usage else None

    def of_step(self, message: SentMessage) -> tuple[Any, ...]:
        """Model, tokens (input, cached, output), cost and seconds of one message."""
        if message.role == "assistant":
            usage, cost = message.usage, self.pricing.cost_of_step(message, self.model)
            if message is self.only_step:
                usage, cost = usage or self.usage, self.cost if cost is None else cost
            if usage is None:
                return message.model or self.model, None, None, None, cost, message.seconds
            return message.model or self.model, usage.input, usage.cached, usage.output, cost, message.seconds
        return message.model, None, None, None, message.cost, message.seconds


class Pricing:
    """The prices of the models that some runs name, looked up once."""

    def __init__(self, organisation_id: UUID, runs: Sequence[SentRun]) -> None:
        names = {run.model for run in runs} | {each.model for run in runs for each in run.messages}
        self.prices = prices_by_name(organisation_id, names - {""})

    def measures_of(self, run: SentRun) -> Measures:
        """What the run used and cost; a cost that was given wins (BC-38: 0 is a cost)."""
        own = own_part(run.messages)
        answers = [each for each in own if each.role == "assistant"]
        model = run.model or next((each.model for each in reversed(answers) if each.model), "")
        told = [each.usage for each in answers if each.usage is not None]
        of_steps = sum(told[1:], told[0]) if told else None
        usage = run.usage if run.usage is not None else of_steps
        cost = run.cost
        if cost is None and (run.usage is None or of_steps in (None, run.usage)):
            cost = self._sum_of_steps(own, model)
        if cost is None and run.usage is not None:
            cost = self._by_prices(run.usage, model)
        return Measures(model, usage, cost, answers[0] if len(answers) == 1 else None, self)

    def cost_of_step(self, message: SentMessage, model: str) -> Decimal | None:
        """What the step says, else its tokens by its model's prices."""
        if message.cost is not None or message.usage is None:
            return message.cost
        return self._by_prices(message.usage, message.model or model)

    def _sum_of_steps(self, steps: Sequence[SentMessage], model: str) -> Decimal | None:
        """The steps' costs, where each step that used tokens has one."""
        measured = [each for each in steps if each.cost is not None or each.usage is not None]
        return sum_of_costs(self.cost_of_step(each, model) for each in measured)

    def _by_prices(self, usage: Usage, model: str) -> Decimal | None:
        prices = self.prices.get(model)
        return None if prices is None else as_money(cost_of(usage, prices))
