"""URL × role × relation over every address under a dataset, and the sameness of "not there" and "not yours"."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client

from accounts import access
from accounts.models import Visibility
from accounts.permissions import GrantLevel
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from tests.access.dataset_routes import API, CONSOLE, Target
from tests.access.expectations import RELATIONS, ROLES, status
from tests.cast import Cast
from tests.datasets.answers import make_answer

ROUTES = API + CONSOLE


class Undo(Exception):
    """Ends a block of `undone`."""


@contextmanager
def undone() -> Iterator[None]:
    """What happens inside leaves no row behind, so that one cast serves the whole table."""
    try:
        with transaction.atomic():
            yield
            raise Undo
    except Undo:
        return


def make_target(cast: Cast, role: str, relation: str) -> Target:
    if relation == "missing":
        return Target(uuid4(), uuid4(), uuid4())
    maker = cast.actor("stranger" if relation == "elsewhere" else "owner")
    dataset = create_dataset(maker, name="Returns")
    draft = CaseDraft(input="How long is the return window?", reference_answer="30 days")
    saved = add_case(maker, dataset_id=dataset.pk, draft=draft)
    relate(cast, role, relation, dataset.pk)
    other = cast.members["both_elsewhere" if relation == "elsewhere" else "both"]
    access.put_grant(dataset, user=other.user, level=GrantLevel.READ)
    answer = make_answer(cast, owner=maker.member, visibility=Visibility.ORGANISATION)
    return Target(dataset.pk, saved.revision.case_id, other.pk, answer.message.pk)


def relate(cast: Cast, role: str, relation: str, dataset_id: UUID) -> None:
    dataset = Dataset.objects.get(pk=dataset_id)
    if relation != "elsewhere":
        dataset.owner = cast.members[role if relation.startswith("own") else "colleague"]
    if relation not in ("own", "shared", "elsewhere"):
        dataset.visibility = Visibility.PRIVATE
    dataset.save()
    if relation.startswith("granted_"):
        access.put_grant(dataset, user=cast.members[role].user, level=GrantLevel(relation.removeprefix("granted_")))


@pytest.mark.spec("ACC-5", "ACC-6", "ACC-7", "ACC-14", "ACC-15", "ACC-19", "ACC-20")
@pytest.mark.spec("ACC-D1", "ACC-D2", "ACC-D4", "ACC-D9")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_target(cast, role, relation)
        for route in ROUTES:
            with undone():
                answered = drained(route.ask(client, target)).status_code
            expected = status(role, relation, route.need)
            if not (answered < 400 if expected == "ok" else answered == expected):
                wrong.append(f"{relation}, {route}: {answered} instead of {expected}")
    assert wrong == []


@pytest.mark.spec("ACC-20", "ACC-21", "ACC-D9", "ACC-D10", "ACC-D11")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("member")
    missing, private, elsewhere = (make_target(cast, "member", kind) for kind in ("missing", "private", "elsewhere"))
    for route in ROUTES:
        expected = seen(route.ask(client, missing))
        assert expected[0] == 404, route
        assert seen(route.ask(client, private)) == expected, route
        assert seen(route.ask(client, elsewhere)) == expected, route


@pytest.mark.spec("ACC-D11")
def test_a_member_of_both_organisations_finds_only_what_the_one_in_use_holds(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    target = make_target(cast, "stranger", "elsewhere")
    here, elsewhere = sign_in("both"), sign_in("both_elsewhere")
    for route in ROUTES:
        with undone():
            assert drained(route.ask(here, target)).status_code == 404, route
        with undone():
            assert drained(route.ask(elsewhere, target)).status_code < 400, route


@pytest.mark.spec("ACC-D9")
def test_a_browser_without_a_login_learns_nothing(cast: Cast) -> None:
    shared, missing = (make_target(cast, "member", kind) for kind in ("shared", "missing"))
    for route in ROUTES:
        expected = seen(route.ask(Client(), missing), strip_next=True)
        assert expected[0] in (302, 401), route
        assert seen(route.ask(Client(), shared), strip_next=True) == expected, route


def drained(response: HttpResponseBase) -> HttpResponseBase:
    if response.streaming:
        b"".join(response)  # type: ignore[arg-type]
    return response


def seen(response: HttpResponseBase, *, strip_next: bool = False) -> tuple[int, bytes, list[tuple[str, str]]]:
    """Status, body and headers, without what differs between any two answers."""
    own = {"X-Request-Id", "Content-Security-Policy"}
    headers = sorted((name, value) for name, value in response.items() if name not in own)
    if strip_next:
        headers = [(name, value.partition("?")[0]) for name, value in headers]
    return response.status_code, getattr(response, "content", b""), headers
