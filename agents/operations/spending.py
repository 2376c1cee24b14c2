"""Counting up what agents spend, as each call is paid (PL-25)."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import F

from agents.models import Spending
from agents.queries.spending import NOTHING, month_of


def record_cost(*, agent_id: UUID, usd: Decimal | None, at: datetime) -> None:
    """Add what one call or one run cost to the agent's month; None, which is unknown, and 0 add nothing.

    In a short transaction of its own, or a part of the running one; whoever counts at the same time is added too.
    """
    record_costs([(agent_id, usd, at)])


@transaction.atomic
def record_costs(costs: Iterable[tuple[UUID, Decimal | None, datetime]]) -> None:
    """Add many costs, each of an agent (its id), in USD, at a time: one statement for each agent and month.

    Rows are taken in one order, so that two of these at once never wait for each other.
    """
    sums: dict[tuple[UUID, date], Decimal] = {}
    for agent_id, usd, at in costs:
        if usd:
            place = agent_id, month_of(at)
            sums[place] = sums.get(place, NOTHING) + usd
    for (agent_id, month), usd in sorted(sums.items()):
        row = Spending.objects.filter(agent_id=agent_id, month=month)
        if not row.update(usd=F("usd") + usd):
            Spending.objects.get_or_create(agent_id=agent_id, month=month)
            row.update(usd=F("usd") + usd)
