"""What tests of agents share: the server may call loopback, where the fake provider listens."""

import pytest
from pytest_django import Settings


@pytest.fixture
def loopback_allowed(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
