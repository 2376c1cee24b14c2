"""Fixtures that every test may use: the cast, and clients signed in as one of them; and which tests a run needs."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.cast import Cast, make_cast
from tests.database_template import use_templates

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}
WALKING_ROLES = ("builder", "member")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database-only", action="store_true", help="leave out the tests that use no database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of a run on a second database what would tell nothing new there.

    A browser, a server and two databases on two cores stumble now and then, so a journey gets a second try; the summary
    lists each as rerun. Everything else has one.
    """
    for item in items:
        if item.get_closest_marker("journey") is not None:
            item.add_marker(pytest.mark.flaky(reruns=1))
    if not config.getoption("--database-only"):
        return
    kept = [item for item in items if uses_database(item) and tells_more_of_a_second_database(item)]
    left_out = set(items) - set(kept)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = kept


def uses_database(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(names & DATABASE_FIXTURES)


def tells_more_of_a_second_database(item: pytest.Item) -> bool:
    """Operations, queries, constraints, races, pages and the API do. These do not:

    - what is marked `one_database` or `looks`: it ends before a query, or examines pages and their scripts;
    - a journey, unless it is marked `every_database`: its pages and operations have tests of their own;
    - a walk over addresses in each role again: tests/accounts/test_access.py asks who may do what for every role on
      every database. Two roles walk: one that sees all, and one whose rows the grants of the database choose.
    """
    if any(item.get_closest_marker(name) is not None for name in ("one_database", "looks")):
        return False
    if item.get_closest_marker("journey") is not None and item.get_closest_marker("every_database") is None:
        return False
    role = getattr(item, "callspec", None) and item.callspec.params.get("role")  # type: ignore[attr-defined]
    return "tests/access/" not in item.nodeid or role in (None, *WALKING_ROLES)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    use_templates()


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture(scope="module")
def standing(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A transaction around all tests of a module: what fixtures of the module write in it stands for each test.

    Each test's own transaction is a savepoint within, so no test sees what another wrote.
    """
    with django_db_blocker.unblock():
        around = transaction.atomic()
        around._from_testcase = True  # type: ignore[attr-defined]  # as Django's TestCase marks its own
        with around:
            yield
            transaction.set_rollback(True)


@pytest.fixture(scope="module")
def cast_of_module(standing: None) -> Cast:
    return make_cast()


@pytest.fixture
def standing_cast(cast_of_module: Cast, db: None) -> Cast:
    """The cast, made once for the module; as a copy, so that no test sees what another set on it in memory."""
    return deepcopy(cast_of_module)


@pytest.fixture
def sign_in(cast: Cast) -> Callable[[str], Client]:
    """`sign_in("builder")`: a browser in which that member is signed in and their organisation is in use."""

    def client_of(name: str) -> Client:
        client = Client()
        member = cast.members[name]
        client.force_login(member.user)
        session = client.session
        session["organisation"] = str(member.organisation_id)
        session.save()
        return client

    return client_of
