"""The fields of a row of the case form, each with its label, help and errors."""

from typing import Any

from django import template

from core.templatetags.ui import attributes
from datasets.forms.case_rows import Row
from datasets.forms.check_fields import ASKED, FIELDS_OF, TYPES, Asked

register = template.Library()


@register.inclusion_tag("datasets/form/_row_field.html")
def row_field(row: Row, part: str, label: str, kind: str = "text", **options: Any) -> dict[str, Any]:
    """One field of a row. `kind` is text, code, line, number, choice or tick; `choices`, `help`, `rows`.

    `quiet=True` keeps the label for screen readers.
    """
    place = f"id_{row.path}.{part}"
    errors = row.errors.get(part, [])
    described = [f"{place}_help"] if options.get("help") else []
    described += [f"{place}_error"] if errors else []
    given = {"aria_describedby": " ".join(described) or None, "aria_invalid": "true" if errors else None}
    return {
        "name": f"{row.path}.{part}",
        "place": place,
        "label": label,
        "kind": kind,
        "value": row.values.get(part, ""),
        "errors": errors,
        "attributes": attributes(given),
        **options,
    }


@register.simple_tag
def check_fields(row: Row) -> list[tuple[str, Asked]]:
    """Name and question of each field that a check of this type has."""
    return [(name, ASKED[name]) for name in FIELDS_OF.get(row.values.get("type", ""), ())]


@register.simple_tag
def every_check_field() -> list[tuple[str, Asked]]:
    """Those of every type, for the script that changes the type of a check."""
    return list(ASKED.items())


@register.simple_tag
def check_types(without: str = "") -> list[tuple[str, Any, str]]:
    """Value, words and the names of the fields of each type of check; `without` is left out where it may not be."""
    return [(name, words, " ".join(FIELDS_OF[name])) for name, words in TYPES.items() if name != without]
