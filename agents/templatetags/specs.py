"""Parts of a specification as people read them."""

import json
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """JSON on lines of its own."""
    return json.dumps(value, ensure_ascii=False, indent=2)
