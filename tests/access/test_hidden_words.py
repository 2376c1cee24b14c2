"""Every address under a dataset, asked by who may not read a conversation: none of its words, nor who wrote them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client

from datasets.logic.drafts import CaseDraft
from datasets.models import Case
from datasets.operations.cases import add_case, edit_case
from datasets.operations.datasets import create_dataset
from tests.access.dataset_routes import API, CONSOLE, Route, Target
from tests.access.test_dataset_table import undone
from tests.cast import Cast
from tests.datasets.answers import make_answer
from tests.datasets.conversations import add_conversation, person, secrets_in

ROUTES = [*API, *CONSOLE]
# Asked besides what the table of addresses asks: what could show words by searching, sorting and comparing.
MORE = [
    Route("GET", "dataset", "view", query="?q=broken"),
    Route("GET", "dataset", "view", query="?sort=question&source=conversation"),
    Route("GET", "dataset", "view", query="?version=1&case={case}"),
    Route("GET", "api_cases", "view", query="?version=1"),
    Route("GET", "api_cases", "view", query="?q=broken"),
    Route("GET", "api_case", "view", ("dataset", "case"), query="?version=1"),
    Route("GET", "api_export", "view", query="?version=1"),
    Route("PATCH", "api_case", "edit", ("dataset", "case"), json={"tags": ["x"], "base_revision": 1}),
    Route("PATCH", "api_case", "edit", ("dataset", "case"), json={"input": "x"}),
    Route("DELETE", "api_case", "edit", ("dataset", "case"), query="?base_revision=1&remove_text=true"),
    Route("GET", "case_edit", "edit", ("dataset", "case")),
    Route("GET", "cases_delete", "edit", query="?chosen={case}:1"),
    Route("GET", "versions_compare", "view", query="?from=1&to=3"),
    Route("GET", "case_compare", "view", ("dataset", "case"), query="?from=1&to=3"),
    Route("GET", "case_compare", "view", ("dataset", "case"), query="?from=3&to=1"),
]
QUESTIONER, WRITER = "questioner-7f3a", "writer-91bc"


def make_target(cast: Cast, *, edited: bool) -> Target:
    """The Member's dataset with a case from a conversation, as it came or edited since, and a case by hand."""
    dataset = create_dataset(cast.actor("member"), name="Returns")
    asker, writer = person(cast, QUESTIONER), person(cast, WRITER)
    revision = add_conversation(cast, dataset, by="owner", question=asker, turns={0: writer}, note=writer).revision
    by_hand = CaseDraft(input="How long is the return window?", reference_answer="30 days")
    add_case(cast.actor("owner"), dataset_id=dataset.pk, draft=by_hand)
    if edited:
        changes = {"input": "A second quince?", "reference_answer": "Another damson", "note": "One more rowanberry"}
        edit_case(cast.actor("owner"), dataset_id=dataset.pk, case_id=revision.case_id, changes=changes)
    return Target(dataset.pk, revision.case_id, cast.colleague.pk)


def everything(response: Any) -> str:
    """The whole answer: its body and its headers. A file is read once and kept."""
    if not hasattr(response, "read_whole"):
        response.read_whole = b"".join(response) if response.streaming else response.content
    return response.read_whole.decode("utf-8", "replace") + str(dict(response.items()))


def walk(client: Client, target: Target) -> dict[str, HttpResponseBase]:
    """What each address answers; after a form also the page, with what it says about the act."""
    answers = {}
    for route in [*ROUTES, *MORE]:
        with undone():
            answers[str(route)] = route.ask(client, target)
            everything(answers[str(route)])
            if route.form:
                answers[f"after {route}"] = client.get(f"/datasets/{target.dataset}/")
    return answers


@pytest.mark.spec("ACC-25", "ACC-26", "ACC-27", "ACC-28", "ACC-30", "ACC-31")
@pytest.mark.spec("ACC-D15", "ACC-D20", "ACC-D10")
@pytest.mark.parametrize(("role", "edited"), [("member", False), ("member", True), ("viewer", True)])
def test_no_address_shows_words_that_the_reader_may_not_read(
    cast: Cast, sign_in: Callable[[str], Client], role: str, edited: bool
) -> None:
    answers = walk(sign_in(role), make_target(cast, edited=edited))
    leaks = {route: secrets_in(everything(answer)) for route, answer in answers.items()}
    assert {route: found for route, found in leaks.items() if found} == {}


@pytest.mark.spec("ACC-25", "ACC-27", "ACC-28", "ACC-29", "ACC-D18")
def test_the_same_addresses_show_the_words_to_who_may_open_the_conversation_and_hide_them_when_it_is_gone(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    target = make_target(cast, edited=True)
    told = make_answer(cast, owner=cast.viewer)
    Case.objects.filter(pk=target.case).update(conversation=told.conversation, message=told.message, run=told.run)
    with_words = {route for route, answer in walk(sign_in("viewer"), target).items() if secrets_in(everything(answer))}
    expected = {
        "GET dataset?version=1&case={case}",
        "GET dataset?sort=question&source=conversation",
        "GET api_case?version=1",
        "GET api_export?version=1",
        "GET dataset_export_file?format=csv&bom=true",
        "GET versions_compare?from=1&to=3",
        "GET case_compare?from=1&to=3",
    }
    assert expected <= with_words
    told.conversation.delete()
    leaks = {route: secrets_in(everything(answer)) for route, answer in walk(sign_in("viewer"), target).items()}
    assert {route: found for route, found in leaks.items() if found} == {}


@pytest.mark.spec("ACC-56", "ACC-57", "ACC-D41", "ACC-D21")
def test_no_address_says_who_wrote_the_words_and_no_cache_keeps_them(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    answers = walk(sign_in("owner"), make_target(cast, edited=True))
    hidden = [each for name in (QUESTIONER, WRITER) for each in (name, str(person(cast, name).pk))]
    shown = {route: everything(answer) for route, answer in answers.items()}
    assert [(route, word) for route, answer in shown.items() for word in hidden if word in answer] == []
    with_words = {route for route, answer in shown.items() if secrets_in(answer)}
    # Who may read the words does find them there, so the walk looks in the right places.
    assert len(with_words) > 25
    expected = {"GET case_compare?from=1&to=3", "GET api_export?version=1", "GET dataset?version=1&case={case}"}
    assert expected <= with_words
    caching = {route: answers[route].headers.get("Cache-Control", "") for route in with_words}
    assert {route: said for route, said in caching.items() if "no-store" not in said} == {}
