"""What agents spend, month by month, and the budgets that it is held against (PL-25)."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from agents.models import Agent, AgentKind, Spending
from agents.operations.spending import record_cost, record_costs
from agents.queries.spending import (
    Budget,
    budget_of_agent,
    budget_of_organisation,
    month_of,
    spent_by_agents,
    why_over_budget,
)
from tests.cast import Cast, make_cast

NOVEMBER = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)


def make_agent(cast: Cast, name: str = "Kettle support", **fields: Any) -> Agent:
    return Agent.objects.create(organisation=cast.kettle, owner=cast.owner, name=name, kind=AgentKind.MODEL, **fields)


@pytest.mark.spec("PL-25")
def test_costs_of_a_month_add_up_to_the_last_digit(cast: Cast) -> None:
    agent = make_agent(cast)
    record_costs((agent.pk, Decimal("0.0001"), NOVEMBER) for _ in range(10_000))
    for _ in range(3):
        record_cost(agent_id=agent.pk, usd=Decimal("0.0000000001"), at=NOVEMBER)
    assert spent_by_agents([agent.pk], at=NOVEMBER) == {agent.pk: Decimal("1.0000000003")}


def test_each_month_has_its_own_sum_by_the_clock_of_utc(cast: Cast) -> None:
    agent = make_agent(cast)
    record_cost(agent_id=agent.pk, usd=Decimal(2), at=NOVEMBER)
    record_cost(agent_id=agent.pk, usd=Decimal(3), at=NOVEMBER + timedelta(minutes=1))
    assert budget_of_agent(agent, at=NOVEMBER).spent == 2
    assert month_of(datetime(2026, 12, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))).month == 11


@pytest.mark.spec("BC-38")
def test_unknown_and_nothing_add_nothing(cast: Cast) -> None:
    agent = make_agent(cast)
    record_costs([(agent.pk, None, NOVEMBER), (agent.pk, Decimal(0), NOVEMBER)])
    assert not Spending.objects.exists()


@pytest.mark.spec("PL-25", "GEN-59")
def test_the_organisation_counts_all_its_agents_and_no_other_organisations(cast: Cast) -> None:
    first, second = make_agent(cast), make_agent(cast, "Second")
    foreign = Agent.objects.create(organisation=cast.other, owner=cast.stranger, name="Theirs", kind="model")
    record_costs([(first.pk, Decimal(1), NOVEMBER), (second.pk, Decimal(2), NOVEMBER)])
    record_cost(agent_id=foreign.pk, usd=Decimal(9), at=NOVEMBER)
    assert budget_of_organisation(cast.kettle, at=NOVEMBER) == Budget(None, Decimal(3))


@pytest.mark.spec("PL-25")
def test_over_budget_says_whose_and_how_much(cast: Cast) -> None:
    agent = make_agent(cast, monthly_budget=Decimal("1.50"))
    assert why_over_budget(agent.pk) == ""
    record_cost(agent_id=agent.pk, usd=Decimal("1.50"), at=datetime.now(UTC))
    assert why_over_budget(agent.pk) == ("This agent's budget for this month is used up: $1.50 of $1.50 are spent.")
    Agent.objects.filter(pk=agent.pk).update(monthly_budget=None)
    cast.kettle.monthly_budget = Decimal(1)
    cast.kettle.save()
    assert why_over_budget(agent.pk).startswith("The organisation's budget for this month is used up")


@pytest.mark.parametrize(
    ("most", "spent", "left", "used_up"),
    [
        (None, "5", None, False),
        ("2", "1.5", "0.5", False),
        ("2", "2", "0", True),
        ("2", "3", "0", True),
        ("0", "0", "0", True),
    ],
)
def test_a_budget_is_used_up_when_nothing_is_left(most: Any, spent: str, left: Any, used_up: bool) -> None:
    budget = Budget(None if most is None else Decimal(most), Decimal(spent))
    assert budget.left == (None if left is None else Decimal(left))
    assert budget.is_used_up is used_up


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PL-25")
def test_costs_recorded_side_by_side_are_all_counted(transactional_db: None) -> None:
    agent = make_agent(make_cast())

    def spend() -> None:
        for _ in range(5):
            record_cost(agent_id=agent.pk, usd=Decimal("0.01"), at=NOVEMBER)
        connection.close()

    threads = [Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert spent_by_agents([agent.pk], at=NOVEMBER) == {agent.pk: Decimal("0.20")}
