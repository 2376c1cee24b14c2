"""What tests of activity share: a provider that answers, and an agent that asks it."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.models import Agent
from tests.activity.talks import make_talking_agent
from tests.agents.provider_server import FakeProvider, fake_provider, says
from tests.cast import Cast


@pytest.fixture
def provider(settings: Any) -> Iterator[FakeProvider]:
    """Says the same again and again, unless a test gives it other answers."""
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    with fake_provider(says("It was **sent** on Monday.")) as server:
        yield server


@pytest.fixture
def talking_agent(cast: Cast, provider: FakeProvider) -> Agent:
    return make_talking_agent(cast.owner, provider.address)
