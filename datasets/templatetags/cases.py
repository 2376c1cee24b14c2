"""How values inside a case are written on pages."""

import json
from typing import Any

from django import template

from accounts.actor import Actor
from datasets.forms.check_fields import TYPES
from datasets.models import Dataset
from datasets.queries.readable_words import reading_mark

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """A value as JSON that a person reads: texts keep their quotes, so that "12" and 12 stay different (DS-D25)."""
    return json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict | list) else None)


@register.filter
def check_words(kind: str) -> Any:
    """What a check of this type asks, in the words of the form."""
    return TYPES.get(kind, kind)


@register.filter
def read_by(dataset: Dataset, actor: Actor) -> str:
    """The mark of what the actor may read of the dataset now, for copies in the browser (ACC-D37)."""
    return reading_mark(actor, dataset)
