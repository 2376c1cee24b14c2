"""Schemathesis: requests made up from the schema, answers compared with what the schema promises (PL-40, PL-41)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from core.api.views import schema
from tests.api.conftest import World
from tests.api.world import Operation, operations

load_all_checks()
EXAMPLES = 15
REJECTION = CHECKS.get_one("negative_data_rejection")
# `ignored_auth` asks again without a credential, which test_schema.py does for every operation. What a schema allows is
# not always taken: it cannot say which cursors, ETags and e-mail addresses there are.
NOT_HERE = [CHECKS.get_one(name) for name in ("ignored_auth", "positive_data_acceptance")]


@pytest.fixture(scope="module")
def contract() -> Any:
    # An `If-Match` that was made up is refused before the rest is looked at.
    refusals = {"expected-statuses": [400, 401, 403, 404, 405, 406, 409, 411, 412, 413, 415, 422]}
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": refusals}})
    loaded = schemathesis.openapi.from_dict(schema(), config=config)
    loaded.app = get_wsgi_application()
    return loaded


@contextmanager
def connection_kept() -> Iterator[None]:
    """The test's transaction holds the connection, so requests must not close it, as with Django's own test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.spec("PL-40", "PL-41")
@pytest.mark.parametrize(
    "mode",
    [
        GenerationMode.POSITIVE,
        # What breaks the schema is refused by the parser, before anything is looked for.
        pytest.param(GenerationMode.NEGATIVE, marks=pytest.mark.one_database),
    ],
    ids=lambda mode: mode.value,
)
@pytest.mark.parametrize("operation", operations(), ids=str)
def test_what_the_schema_promises_is_what_comes(world: World, contract: Any, operation: Operation, mode: Any) -> None:
    api, ids = world.api, world.ids
    described = contract[f"/api/v1{operation.address}"][operation.method]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(described.as_strategy(generation_mode=mode), st.booleans())
    def holds(case: Any, with_ids_that_exist: bool) -> None:
        excluded = list(NOT_HERE)
        if with_ids_that_exist and case.path_parameters:
            case.path_parameters |= {name: ids[name] for name in case.path_parameters}
            excluded.append(REJECTION)  # the id may have been the only thing wrong
        with transaction.atomic():
            case.call_and_validate(headers={"Authorization": f"Bearer {api.key}"}, excluded_checks=excluded)
            transaction.set_rollback(True)

    with connection_kept():
        holds()
