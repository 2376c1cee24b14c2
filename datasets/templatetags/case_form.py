"""The fields of a row of the case form, each with its label, help and errors."""

from typing import Any

from django import template

from core.templatetags.ui import attributes
from datasets.forms.case_rows import Row
from datasets.forms.check_fields import ASKED, FIELDS_OF, TYPES, Asked

register = template.Library()


@register.inclusion_tag("datasets/form/_row_field.html")
def row_field(row: Row, part: str, label: str, kind: str = "text", **options: Any) -> dict[str, Any]:
    """One field of a row. `kind` is text, code, line, number, choice or tick; `choices`, `help`, `quiet`, `off`.

    `quiet=True` keeps the label for screen readers; `off=True` hides the field and sends nothing.
    """
    place = f"id_{row.path}.{part}" + (f"-{variant}" if (variant := options.pop("variant", "")) else "")
    is_off = bool(options.get("off"))
    errors = [] if is_off else row.errors.get(part, [])
    described = [f"{place}_help"] if options.get("help") else []
    described += [f"{place}_error"] if errors else []
    given = {"aria_describedby": " ".join(described) or None, "aria_invalid": "true" if errors else None}
    return {
        "name": f"{row.path}.{part}",
        "place": place,
        "label": label,
        "kind": kind,
        "value": "" if is_off else row.values.get(part, ""),
        "errors": errors,
        "attributes": attributes({**given, "disabled": is_off}),
        **options,
    }


@register.simple_tag
def check_fields(row: Row) -> list[tuple[str, Asked, bool, str]]:
    """Every field that a check can have: name, what it asks, whether this check's type leaves it out, and its variant.

    Several ask for the same parameter; only one of those is on, and only it has the plain id that errors link to.
    """
    shown = FIELDS_OF.get(row.values.get("type", ""), ())
    return [(name, asked, name not in shown, "" if name in shown else name) for name, asked in ASKED.items()]


@register.simple_tag
def check_types() -> list[tuple[str, Any, str]]:
    """Value, words and the names of the fields of each type of check."""
    return [(name, words, " ".join(FIELDS_OF[name])) for name, words in TYPES.items()]
