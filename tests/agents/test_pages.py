"""The pages of models and connections (PL-20, DS-21)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agents.models import Connection, LanguageModel
from agents.operations.language_models import add_model, connect_with_model
from agents.templatetags.prices import per_million
from tests.cast import Cast

HTMX = {"HX-Request": "true"}
NEW = {"provider": "openai", "key": "k-1", "name": "big-1", "label": "", "input_price": "2", "output_price": "8"}


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    connection = {"name": "Own", "provider": "compatible", "base_url": "https://models.example.org/v1"}
    return connect_with_model(cast.actor("owner"), connection=connection, model={"name": "small-1", "label": "Small"})


@pytest.mark.spec("DS-21")
def test_one_form_takes_provider_model_and_key(sign_in: Callable[[str], Client]) -> None:
    browser = sign_in("owner")
    shown = browser.get(reverse("connection_new"), headers=HTMX).content.decode()
    assert all(f'name="{name}"' in shown for name in ("provider", "key", "name"))
    assert browser.post(reverse("connection_new"), NEW).status_code == 302
    connection = Connection.objects.get()
    assert (connection.name, connection.target().key) == ("OpenAI", "k-1")
    assert connection.models.get().input_price == Decimal(2)


@pytest.mark.parametrize(("sent", "words"), [({"provider": "azure"}, "Enter the address"), ({"name": ""}, "required")])
def test_a_refused_form_says_why_and_keeps_what_was_typed(
    sign_in: Callable[[str], Client], sent: dict[str, Any], words: str
) -> None:
    more = {"api_version": "1"} if sent.get("provider") == "azure" else {}
    response = sign_in("owner").post(reverse("connection_new"), NEW | sent | more, headers=HTMX)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert "<html" not in response.content.decode()
    assert not Connection.objects.exists()


def test_the_page_names_every_connection_with_its_models(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    page = sign_in("admin").get(reverse("connection_list")).content.decode()
    assert all(word in page for word in ("Own", "https://models.example.org/v1", "no key", "Small", "small-1"))


def test_an_empty_page_says_what_belongs_there(sign_in: Callable[[str], Client]) -> None:
    assert "Connect OpenAI" in sign_in("owner").get(reverse("connection_list")).content.decode()


def test_many_models_take_no_more_queries(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client], django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        add_model(cast.actor("owner"), connection_id=model.connection_id, name=f"m-{number}")
    browser = sign_in("owner")
    with django_assert_max_num_queries(12):
        browser.get(reverse("connection_list"))


def test_a_connection_is_renamed_without_the_key_typed_again(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    model.connection.set_key("kept")
    model.connection.save()
    address = reverse("connection_edit", args=[model.connection_id])
    sent = {"name": "Renamed", "provider": "compatible", "base_url": "https://models.example.org/v1", "key": ""}
    assert sign_in("owner").post(address, sent, headers=HTMX).status_code == 204
    assert (Connection.objects.get().name, Connection.objects.get().target().key) == ("Renamed", "kept")


def test_a_model_is_changed_and_removed(cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]) -> None:
    browser = sign_in("owner")
    sent = {"name": "small-1", "label": "Smaller", "context_tokens": "8000"}
    assert browser.post(reverse("model_edit", args=[model.pk]), sent).status_code == 302
    model.refresh_from_db()
    assert (model.label, model.context_tokens, model.takes_temperature) == ("Smaller", 8000, False)
    assert browser.post(reverse("model_remove", args=[model.pk])).status_code == 302
    assert not LanguageModel.objects.exists()


def test_the_dialogs_of_removing_say_what_goes(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    browser = sign_in("owner")
    shown = browser.get(reverse("connection_remove", args=[model.connection_id]), headers=HTMX).content.decode()
    assert "1 model go with it" in shown
    assert browser.post(reverse("connection_remove", args=[model.connection_id])).status_code == 302
    assert not Connection.objects.exists()


def test_prices_keep_their_digits_and_show_two_places() -> None:
    shown = [per_million(price) for price in (Decimal("0.150000"), Decimal("2.000000"), Decimal("0.075000"), None)]
    assert shown == ["0.15", "2.00", "0.075", "–"]
