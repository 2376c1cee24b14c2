"""Adding, changing and removing the models that a connection offers (PL-20)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.operations.naming import clean_name
from agents.models import Connection, LanguageModel
from agents.operations.connections import add_connection
from agents.queries.connections import find_connection
from agents.queries.language_models import find_model
from core.errors import Invalid, Problem
from core.folding import fold
from core.limits import LIMITS

PRICES = ("input_price", "cached_price", "output_price")
FIELDS = ("name", "label", *PRICES, "context_tokens", "takes_temperature", "takes_json_schema")
DEFAULTS: dict[str, Any] = dict.fromkeys((*PRICES, "context_tokens")) | {
    "takes_temperature": True,
    "takes_json_schema": True,
}


@transaction.atomic
def add_model(actor: Actor, *, connection_id: UUID, name: str, label: str = "", **given: Any) -> LanguageModel:
    """Offer a model through a connection; without a label its name is one.

    `given`: prices in USD per million tokens, `context_tokens`, `takes_temperature`, `takes_json_schema`. Raises
    `NotFound`, `Invalid` at each wrong field or where the connection offers the model already.
    """
    connection = find_connection(actor, connection_id, for_change=True)
    values = _checked(connection, DEFAULTS | given | {"name": name, "label": label})
    model = LanguageModel.objects.create(connection=connection, search_text=_searched(connection, values), **values)
    audit.record(actor, "model.added", model, connection=str(connection.pk))
    return model


@transaction.atomic
def connect_with_model(actor: Actor, *, connection: Mapping[str, Any], model: Mapping[str, Any]) -> LanguageModel:
    """Connect a provider and offer its first model: both or neither (DS-21). Raises `NotAllowed`, `Invalid`."""
    made = add_connection(actor, **connection)
    return add_model(actor, connection_id=made.pk, **model)


@transaction.atomic
def change_model(actor: Actor, *, model_id: UUID, changes: Mapping[str, Any]) -> LanguageModel:
    """Change what is given, the rest stays. Raises `NotFound`, `NotAllowed`, `Invalid`."""
    model = find_model(actor, model_id, for_change=True)
    before = {name: getattr(model, name) for name in FIELDS}
    values = _checked(model.connection, before | dict(changes), but=model)
    changed = sorted(name for name in FIELDS if values[name] != before[name])
    if changed:
        for name in changed:
            setattr(model, name, values[name])
        model.search_text = _searched(model.connection, values)
        model.save()
        audit.record(actor, "model.changed", model, fields=changed)
    return model


@transaction.atomic
def remove_model(actor: Actor, *, model_id: UUID) -> None:
    """Offer a model no more. Raises `NotFound`, `NotAllowed`."""
    model = find_model(actor, model_id, for_change=True)
    audit.record(actor, "model.removed", model, connection=str(model.connection_id))
    model.delete()


def _searched(connection: Connection, values: Mapping[str, Any]) -> str:
    most = LIMITS.name_characters * 8
    return fold(f"{values['label']} {values['name']} {connection.name}")[:most]


def _checked(connection: Connection, values: dict[str, Any], but: LanguageModel | None = None) -> dict[str, Any]:
    """The values as they are stored. Raises `Invalid` with every problem."""
    problems: list[Problem] = []
    for field, most in (("name", LIMITS.model_name_characters), ("label", LIMITS.name_characters)):
        if field == "label" and not values["label"].strip():
            values["label"] = values["name"][:most]
            continue
        try:
            values[field] = clean_name(values[field], field=field, most=most)
        except Invalid as error:
            problems += error.problems
    problems += [Problem(name, _("From 0 to 100,000 USD.")) for name in PRICES if not _is_price(values[name])]
    tokens = values["context_tokens"]
    if tokens is not None and not 1 <= tokens <= LIMITS.context_tokens:
        problems.append(Problem("context_tokens", _("At least 1 token.")))
    same = LanguageModel.objects.filter(connection=connection, name=values["name"])
    if not problems and (same.exclude(pk=but.pk) if but else same).exists():
        problems.append(Problem("name", _("This connection offers the model already.")))
    if problems:
        raise Invalid(problems)
    return values


def _is_price(price: Decimal | None) -> bool:
    return price is None or (price.is_finite() and 0 <= price <= LIMITS.model_price)
