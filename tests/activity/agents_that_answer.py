"""Agents that the fake provider answers for, as rows."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from agents.models import Agent, AgentVersion, Connection, LanguageModel
from tests.agents.provider_server import FakeProvider
from tests.cast import Cast

ORDER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}


def make_model(cast: Cast, address: str, **more: Any) -> LanguageModel:
    """A model at a connection with a key, which costs 2 and 8 USD per million tokens unless told otherwise."""
    connection = Connection(organisation=cast.kettle, name="Fake", provider="compatible", base_url=address)
    connection.set_key("model-key-8374598237")
    connection.save()
    prices = {"input_price": Decimal(2), "output_price": Decimal(8), **more}
    return LanguageModel.objects.create(connection=connection, name="small-1", label="Small", **prices)


def published(cast: Cast, provider: FakeProvider, *, prices: Mapping[str, Any] | None = None, **spec: Any) -> Agent:
    """An active agent of kind model with one version."""
    agent = Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Kettle support", kind="model", newest_version=1
    )
    model = make_model(cast, provider.address, **(prices or {}))
    given = {"model": str(model.pk), "instructions": "Be brief.", **spec}
    AgentVersion.objects.create(agent=agent, number=1, spec=given)
    return agent


def find_order(shop: FakeProvider, **more: Any) -> dict[str, Any]:
    """A reading tool at this server, as a version names it."""
    return {"name": "find_order", "parameters": ORDER, "read_only": True, "endpoint": shop.address, **more}
