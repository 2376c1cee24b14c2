"""What a draft names outside of itself: models, skills, knowledge bases, as far as an editor may see them (BC-46)."""

from typing import Any
from uuid import UUID

from accounts.actor import Actor
from agents.logic.specs import ModelSpec, Spec
from agents.models import LanguageModel
from core.problems import Problem, gettext_noop

NO_MODEL = gettext_noop("There is no model of this id.")
NO_TEMPERATURE = gettext_noop("This model takes no temperature.")


def strange_parts(actor: Actor, spec: Spec, *, before: Spec) -> list[Problem]:
    """A problem for each id that `before` did not name and that is none for this actor.

    What another editor attached stays, so that nobody loses it by saving a part they may not see.
    """
    if not isinstance(spec, ModelSpec) or not isinstance(before, ModelSpec):
        return []
    return _model_problems(actor, spec, before)


def _model_problems(actor: Actor, spec: ModelSpec, before: ModelSpec) -> list[Problem]:
    if not spec.model:
        return []
    model = model_of(actor.organisation_id, spec.model)
    if model is None:
        return [] if spec.model == before.model else [Problem("model", NO_MODEL)]
    if spec.temperature is not None and not model.takes_temperature:
        return [Problem("temperature", NO_TEMPERATURE)]
    return []


def model_of(organisation_id: Any, model_id: str | None) -> LanguageModel | None:
    """The organisation's model of that id with its connection, or None where it was removed or none is chosen."""
    rows = LanguageModel.objects.filter(connection__organisation_id=organisation_id).select_related("connection")
    return rows.filter(pk=UUID(model_id)).first() if model_id else None
