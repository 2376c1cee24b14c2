"""What was spent in a month, and whether the budgets allow a further call (PL-25)."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Organisation
from agents.models import Agent, Spending
from core.numbers import money

NOTHING = Decimal(0)


@dataclass(frozen=True)
class Budget:
    """What may be spent in a calendar month and what was, in USD; `most` is None without a bound."""

    most: Decimal | None
    spent: Decimal

    @property
    def is_used_up(self) -> bool:
        return self.most is not None and self.spent >= self.most

    @property
    def left(self) -> Decimal | None:
        """What may still be spent, never below nothing; None without a bound."""
        return None if self.most is None else max(self.most - self.spent, NOTHING)

    def after(self, more: Decimal) -> "Budget":
        """As it will be when so much more is spent."""
        return replace(self, spent=self.spent + more) if more else self


def month_of(moment: datetime) -> date:
    """The first day of its calendar month, in UTC."""
    return moment.astimezone(UTC).date().replace(day=1)


def spent_by_agents(agent_ids: Collection[UUID], *, at: datetime | None = None) -> dict[UUID, Decimal]:
    """What each of the agents spent in the month of `at` (now without it), in one query; 0 where it spent nothing."""
    rows = Spending.objects.filter(agent__in=agent_ids, month=month_of(at or timezone.now()))
    return dict.fromkeys(agent_ids, NOTHING) | dict(rows.values_list("agent_id", "usd"))


def spending_of_agent(agent: Agent) -> QuerySet[Spending]:
    """What the agent spent, a row for each month in which it spent anything."""
    return Spending.objects.filter(agent=agent)


def budget_of_agent(agent: Agent, *, at: datetime | None = None) -> Budget:
    """The agent's own monthly budget."""
    return Budget(agent.monthly_budget, spent_by_agents([agent.pk], at=at)[agent.pk])


def budget_of_organisation(organisation: Organisation, *, at: datetime | None = None) -> Budget:
    """The organisation's monthly budget, which all its agents share, the helpers too."""
    rows = Spending.objects.filter(agent__organisation=organisation, month=month_of(at or timezone.now()))
    return Budget(organisation.monthly_budget, rows.aggregate(sum=Sum("usd"))["sum"] or NOTHING)


@dataclass(frozen=True)
class Budgets:
    """An agent's own and its organisation's, as they were read."""

    own: Budget
    shared: Budget

    def why_used_up(self, more: Decimal = NOTHING) -> str:
        """Why nothing may be spent after a further `more` USD, in a sentence; empty where it may."""
        own, shared = self.own.after(more), self.shared.after(more)
        if own.is_used_up:
            words = _("This agent's budget for this month is used up: %(spent)s of %(most)s are spent.")
            return words % _amounts(own)
        if shared.is_used_up:
            words = _("The organisation's budget for this month is used up: %(spent)s of %(most)s are spent.")
            return words % _amounts(shared)
        return ""


def budgets_of(agent_id: UUID) -> Budgets:
    """Both budgets of an agent as they are now; without a bound where the agent is gone."""
    agent = Agent.objects.select_related("organisation").defer("draft").filter(pk=agent_id).first()
    if agent is None:
        return Budgets(Budget(None, NOTHING), Budget(None, NOTHING))
    return Budgets(budget_of_agent(agent), budget_of_organisation(agent.organisation))


def why_over_budget(agent_id: UUID) -> str:
    """Why this agent may not spend more now, in a sentence; empty where it may.

    Asked before each call that may cost, with the budgets as they are then: whoever raises one lets a run go on.
    """
    return budgets_of(agent_id).why_used_up()


def _amounts(budget: Budget) -> dict[str, str]:
    return {"spent": money(budget.spent), "most": money(budget.most)}
