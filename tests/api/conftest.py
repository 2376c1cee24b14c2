"""What tests of the whole API share: one world for all tests of a module, which need many rows and change few."""

from dataclasses import dataclass

import pytest

from tests.api.clients import ApiClient
from tests.api.world import make_world
from tests.cast import Cast


@dataclass(frozen=True)
class World:
    """`world.api` is the owner's client, `world.ids` an id for each parameter of an address."""

    cast: Cast
    api: ApiClient
    ids: dict[str, str]


@pytest.fixture(scope="module")
def world_of_module(cast_of_module: Cast) -> tuple[str, dict[str, str]]:
    api, ids = make_world(cast_of_module)
    return api.key, ids


@pytest.fixture
def world(world_of_module: tuple[str, dict[str, str]], standing_cast: Cast) -> World:
    """As `make_world` makes it; what a test writes is gone after it."""
    key, ids = world_of_module
    return World(standing_cast, ApiClient(key), dict(ids))
