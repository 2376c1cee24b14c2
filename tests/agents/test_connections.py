"""Connections and models: who manages them, what is refused, where the key is not (PL-20)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from agents.logic.usage import Prices
from agents.models import Connection, LanguageModel
from agents.operations.connections import add_connection, change_connection, remove_connection
from agents.operations.language_models import add_model, change_model, connect_with_model, remove_model
from agents.operations.trials import try_model
from agents.provider import Cause
from agents.queries.connections import connections_of, find_connection
from agents.queries.language_models import models_to_choose
from core.errors import Invalid, NotAllowed, NotFound
from tests.agents.provider_server import Answer, completion, error, fake_provider
from tests.api.clients import client_of
from tests.cast import Cast

KEY = "test-key-83745982374598"
OWN = {"name": "Own machine", "provider": "compatible", "base_url": "https://models.example.org/v1", "key": KEY}


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return connect_with_model(cast.actor("owner"), connection=OWN, model={"name": "small-1", "label": "Small"})


def refused_at(act: Callable[[], Any]) -> list[str]:
    with pytest.raises(Invalid) as caught:
        act()
    return [problem.field for problem in caught.value.problems]


@pytest.mark.spec("PL-20")
def test_the_key_is_stored_encrypted_and_comes_back_only_to_ask(model: LanguageModel) -> None:
    stored = Connection.objects.get()
    assert KEY not in stored.encrypted_key
    assert stored.has_key
    assert stored.target().key == KEY
    assert KEY not in repr(stored.target())


@pytest.mark.spec("PL-20", "PL-8")
def test_the_key_is_in_no_page_answer_or_audit_entry(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    browser, api = sign_in("owner"), client_of(cast.owner)
    addresses = [
        reverse("connection_list"),
        reverse("connection_edit", args=[model.connection_id]),
        reverse("model_edit", args=[model.pk]),
        reverse("audit_list"),
    ]
    told = "".join(browser.get(address).content.decode() for address in addresses)
    told += "".join(api.get(path).content.decode() for path in ("/connections", f"/models/{model.pk}", "/audit"))
    told += str(list(AuditEntry.objects.values()))
    assert "Own machine" in told
    assert KEY not in told


@pytest.mark.parametrize("name", ["builder", "operator", "member", "viewer"])
def test_only_who_manages_connections_may_see_or_add_them(cast: Cast, model: LanguageModel, name: str) -> None:
    actor = cast.actor(name)
    with pytest.raises(NotAllowed):
        add_connection(actor, **OWN)
    with pytest.raises(NotAllowed):
        connections_of(actor)
    with pytest.raises(NotFound):
        find_connection(actor, model.connection_id)
    with pytest.raises(NotAllowed):
        change_model(actor, model_id=model.pk, changes={"label": "x"})
    assert [found.label for found in models_to_choose(actor)] == ["Small"]


@pytest.mark.spec("ACC-D11")
def test_another_organisation_finds_none_of_it(cast: Cast, model: LanguageModel) -> None:
    stranger = cast.actor("stranger")
    assert not models_to_choose(stranger).exists()
    for act in (
        lambda: find_connection(stranger, model.connection_id),
        lambda: change_connection(stranger, connection_id=model.connection_id, changes={"name": "x"}),
        lambda: remove_connection(stranger, connection_id=model.connection_id),
        lambda: add_model(stranger, connection_id=model.connection_id, name="x"),
        lambda: change_model(stranger, model_id=model.pk, changes={"label": "x"}),
        lambda: remove_model(stranger, model_id=model.pk),
        lambda: try_model(stranger, model_id=model.pk),
    ):
        with pytest.raises(NotFound):
            act()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"provider": "other"}, "provider"),
        ({"base_url": ""}, "base_url"),
        ({"base_url": "ftp://example.org"}, "base_url"),
        ({"base_url": "https://user:pw@example.org"}, "base_url"),
        ({"base_url": "https://example.org/?key=1"}, "base_url"),
        ({"base_url": "https://[broken"}, "base_url"),
        ({"base_url": "https://example.org:port"}, "base_url"),
        ({"provider": "azure"}, "api_version"),
        ({"key": "ключ"}, "key"),
        ({"key": "a\nb"}, "key"),
        ({"key": "k" * 1001}, "key"),
    ],
)
def test_what_is_wrong_is_named_at_its_field_and_nothing_is_stored(
    cast: Cast, changes: dict[str, str], field: str
) -> None:
    assert refused_at(lambda: add_connection(cast.actor("owner"), **OWN | changes)) == [field]
    assert not Connection.objects.exists()


def test_openai_needs_no_address(cast: Cast) -> None:
    made = add_connection(cast.actor("owner"), name="OpenAI", provider="openai", key=KEY)
    assert made.base_url == ""


def test_changes_are_audited_by_field_and_the_rest_stays(cast: Cast, model: LanguageModel) -> None:
    changed = change_connection(
        cast.actor("owner"), connection_id=model.connection_id, changes={"name": "Mine", "key": "other-key"}
    )
    assert (changed.name, changed.base_url, changed.target().key) == ("Mine", OWN["base_url"], "other-key")
    assert AuditEntry.objects.get(action="connection.changed").details == {"fields": ["key", "name"]}


def test_an_empty_key_takes_the_stored_one_away(cast: Cast, model: LanguageModel) -> None:
    changed = change_connection(cast.actor("owner"), connection_id=model.connection_id, changes={"key": ""})
    assert not changed.has_key
    assert changed.target().key == ""


@pytest.mark.parametrize("change", [{"base_url": "https://elsewhere.example.org"}, {"provider": "openai"}])
def test_a_stored_key_does_not_follow_to_another_address(
    cast: Cast, model: LanguageModel, change: dict[str, str]
) -> None:
    owner = cast.actor("owner")
    where = model.connection_id
    assert refused_at(lambda: change_connection(owner, connection_id=where, changes=change)) == ["key"]
    assert change_connection(owner, connection_id=where, changes=change | {"key": "new"}).target().key == "new"


def test_removing_a_connection_takes_its_models(cast: Cast, model: LanguageModel) -> None:
    remove_connection(cast.actor("owner"), connection_id=model.connection_id)
    assert not LanguageModel.objects.exists()
    assert AuditEntry.objects.get(action="connection.removed").details == {"models": 1}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "small-1"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "y", "label": "x" * 121}, "label"),
        ({"name": "y", "input_price": Decimal("-1")}, "input_price"),
        ({"name": "y", "output_price": Decimal("NaN")}, "output_price"),
        ({"name": "y", "context_tokens": 0}, "context_tokens"),
    ],
)
def test_a_model_that_is_wrong_is_named_at_its_field(
    cast: Cast, model: LanguageModel, given: dict[str, Any], field: str
) -> None:
    where = model.connection_id
    assert refused_at(lambda: add_model(cast.actor("owner"), connection_id=where, **given)) == [field]
    assert LanguageModel.objects.count() == 1


def test_a_connection_whose_first_model_is_wrong_is_not_made(cast: Cast) -> None:
    fields = refused_at(lambda: connect_with_model(cast.actor("owner"), connection=OWN, model={"name": ""}))
    assert fields == ["name"]
    assert not Connection.objects.exists()


def test_a_model_without_a_label_is_called_by_its_name(cast: Cast, model: LanguageModel) -> None:
    made = add_model(cast.actor("owner"), connection_id=model.connection_id, name="small-2")
    assert (made.label, made.prices()) == ("small-2", None)


def test_a_model_s_changes_are_audited_and_an_equal_one_is_none(cast: Cast, model: LanguageModel) -> None:
    owner = cast.actor("owner")
    changes = {"input_price": Decimal(2), "output_price": Decimal(8)}
    assert change_model(owner, model_id=model.pk, changes=changes).prices() == Prices(Decimal(2), Decimal(8))
    change_model(owner, model_id=model.pk, changes={"label": "Small"})
    assert [entry.details for entry in AuditEntry.objects.filter(action="model.changed")] == [
        {"fields": ["input_price", "output_price"]}
    ]


@pytest.mark.spec("DS-20", "SC-40")
@pytest.mark.parametrize(("search", "found"), [("", 1), ("SMALL", 1), ("machine small-1", 1), ("large", 0)])
def test_a_model_is_found_by_words_of_its_names(cast: Cast, model: LanguageModel, search: str, found: int) -> None:
    assert models_to_choose(cast.actor("viewer"), search=search).count() == found


@pytest.mark.spec("PL-20")
@pytest.mark.usefixtures("loopback_allowed")
def test_trying_a_model_shows_its_answer(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    with fake_provider(Answer(completion("I am *small*."))) as provider:
        connection = OWN | {"base_url": provider.address}
        model = connect_with_model(cast.actor("owner"), connection=connection, model={"name": "small-1"})
        page = sign_in("owner").post(reverse("model_try", args=[model.pk])).content.decode()
        answered = client_of(cast.owner).post(f"/models/{model.pk}/try").json()
    assert "I am *small*." in page
    assert (answered["ok"], answered["text"], answered["cause"]) == (True, "I am *small*.", None)
    assert provider.asked[0]["temperature"] == 0.0
    assert [entry.details for entry in AuditEntry.objects.filter(action="model.tried")] == [{"result": "answered"}] * 2


@pytest.mark.spec("PL-20")
@pytest.mark.usefixtures("loopback_allowed")
def test_trying_a_model_shows_the_exact_error_without_the_key(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    with fake_provider(error(401, f"Incorrect API key provided: {KEY}. Find yours in the settings.")) as provider:
        connection = OWN | {"base_url": provider.address}
        model = connect_with_model(cast.actor("owner"), connection=connection, model={"name": "small-1"})
        page = sign_in("owner").post(reverse("model_try", args=[model.pk])).content.decode()
        answered = client_of(cast.owner).post(f"/models/{model.pk}/try").json()
    assert "Incorrect API key provided: [key]. Find yours" in page
    assert (answered["ok"], answered["cause"], answered["status"]) == (False, Cause.WRONG_KEY, 401)
    assert KEY not in page + str(answered)


def test_a_model_that_takes_no_temperature_is_tried_without(cast: Cast, loopback_allowed: None) -> None:
    with fake_provider() as provider:
        connection = OWN | {"base_url": provider.address}
        given = {"name": "thinker", "takes_temperature": False}
        model = connect_with_model(cast.actor("owner"), connection=connection, model=given)
        try_model(cast.actor("owner"), model_id=model.pk)
    assert "temperature" not in provider.asked[0]
