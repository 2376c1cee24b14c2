"""The endpoint of what an agent spent, month by month (PL-25)."""

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agents.api.agents import AgentEndpoint
from agents.queries.agents import find_agent
from agents.queries.spending import spending_of_agent
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("month", descending=True)]


class SpendingOut(serializers.Serializer[Any]):
    """What was spent in a calendar month of UTC, such as "2026-11", in USD as a string. It outlives the runs."""

    month = serializers.SerializerMethodField()
    usd = serializers.DecimalField(max_digits=18, decimal_places=10)

    def get_month(self, spending: Any) -> str:
        return f"{spending.month:%Y-%m}"


class AgentSpending(AgentEndpoint):
    """What one agent spent."""

    @describe("Agents", answer=SpendingOut, query=KeysetQuery, paged="keyset", operation_id="agent_spending_list")
    def get(self, request: Request, agent_id: UUID) -> Response:
        """List what an agent spent month by month.

        The newest first, the present month with what was spent so far; a month without spending is left out.
        """
        agent = find_agent(self.actor, agent_id)
        return self.keyset(spending_of_agent(agent), NEWEST_FIRST, self.query(KeysetQuery), SpendingOut)
