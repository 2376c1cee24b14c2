"""Fixtures that every test may use: the cast, and clients signed in as one of them."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.cast import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


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
