"""How grading settings are written on pages."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from core.json_values import compact
from datasets.forms.check_fields import ASKED, TYPES, UNITS

register = template.Library()


@register.filter
def as_rule(check: dict[str, Any]) -> str:
    """A check in words: "Has a length: at least 20, at most 50 words"."""
    kind = check.get("type", "")
    name = str(TYPES.get(kind, kind))
    said = _length(check) if kind == "length" else _parameters(check)
    return f"{name}: {said}" if said else name


@register.filter
def at_place(kind: str, place: int) -> str:
    """What the button of a suggestion sends: the row of the criterion and the kind of the rule."""
    return f"{place}:{kind}"


def _length(check: dict[str, Any]) -> str:
    bounds = [f"{ASKED[key].label} {check[key]}".lower() for key in ("min", "max") if key in check]
    path = f" ({check['path']})" if "path" in check else ""
    return f"{', '.join(bounds)} {dict(UNITS).get(check.get('unit', ''), '')}{path}"


def _parameters(check: dict[str, Any]) -> str:
    """The value, then where it is looked for and how."""
    value = check.get("value", check.get("schema"))
    parts = [value if isinstance(value, str) else compact(value)] if value not in (None, {}) else []
    parts += [str(check["path"])] if "path" in check else []
    parts += [_("capital and small letters differ")] if check.get("case_sensitive") else []
    return ", ".join(parts)
