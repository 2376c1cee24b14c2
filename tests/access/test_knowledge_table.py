"""URL × role × relation over every address under a skill and a knowledge base, by the rows that datasets have too."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts import access
from accounts.models import Visibility
from accounts.permissions import GrantLevel
from agents.operations.skills import create_skill
from tests.access.expectations import RELATIONS, ROLES, status
from tests.access.knowledge_routes import KNOWLEDGE, SKILLS, SharedRoute, SharedTarget
from tests.access.test_dataset_table import seen, undone
from tests.agents.documents import make_base
from tests.cast import Cast

KINDS: dict[str, tuple[SharedRoute, ...]] = {"skill": SKILLS, "knowledge": KNOWLEDGE}


def make_thing(cast: Cast, kind: str, maker: str) -> Any:
    if kind == "skill":
        return create_skill(cast.actor(maker), name="Tone", text="Be brief.")
    return make_base(cast, by=maker)


def make_target(cast: Cast, kind: str, role: str, relation: str) -> SharedTarget:
    if relation == "missing":
        return SharedTarget(uuid4(), uuid4(), uuid4())
    thing = make_thing(cast, kind, "stranger" if relation == "elsewhere" else "owner")
    if relation != "elsewhere":
        thing.owner = cast.members[role if relation.startswith("own") else "colleague"]
    if relation not in ("own", "shared", "elsewhere"):
        thing.visibility = Visibility.PRIVATE
    thing.save()
    if relation.startswith("granted_"):
        level = GrantLevel(relation.removeprefix("granted_"))
        access.put_grant(thing, user=cast.members[role].user, level=level)
    other = cast.members["both_elsewhere" if relation == "elsewhere" else "both"]
    access.put_grant(thing, user=other.user, level=GrantLevel.READ)
    return SharedTarget(thing.pk, other.pk, thing.documents.get().pk if kind == "knowledge" else None)


@pytest.mark.spec("PL-4", "PL-5", "PL-6", "PL-24")
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_role_gets_what_the_table_says(kind: str, role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_target(cast, kind, role, relation)
        for route in KINDS[kind]:
            with undone():
                answered = route.ask(client, target).status_code
            expected = status(role, relation, route.need)
            if not (answered < 400 if expected == "ok" else answered == expected):
                wrong.append(f"{relation}, {route}: {answered} instead of {expected}")
    assert wrong == []


@pytest.mark.spec("ACC-D9", "ACC-D11")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    kind: str, cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("member")
    missing, private, elsewhere = (
        make_target(cast, kind, "member", relation) for relation in ("missing", "private", "elsewhere")
    )
    for route in KINDS[kind]:
        expected = seen(route.ask(client, missing))
        assert expected[0] == 404, route
        assert seen(route.ask(client, private)) == expected, route
        assert seen(route.ask(client, elsewhere)) == expected, route


@pytest.mark.spec("ACC-D9")
@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_without_a_login_learns_nothing(kind: str, cast: Cast) -> None:
    shared, missing = (make_target(cast, kind, "member", relation) for relation in ("shared", "missing"))
    for route in KINDS[kind]:
        expected = seen(route.ask(Client(), missing), strip_next=True)
        assert expected[0] in (302, 401), route
        assert seen(route.ask(Client(), shared), strip_next=True) == expected, route
