"""How values inside a case are written on pages."""

import json
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """A value as JSON that a person reads: texts keep their quotes, so that "12" and 12 stay different (DS-D25)."""
    return json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict | list) else None)
