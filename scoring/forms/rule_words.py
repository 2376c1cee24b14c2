"""Checks in the words of the form that makes them: "Has a length: at least 20, at most 50 words"."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from core.json_values import compact
from core.numbers import count
from datasets.forms.check_fields import ASKED, TYPES, UNITS

Check = Mapping[str, Any]


def rule_in_words(check: Check) -> str:
    """The type, then what it asks."""
    kind = check.get("type", "")
    name, said = str(TYPES.get(kind, kind)), parameters_in_words(check)
    return f"{name}: {said}" if said else name


def parameters_in_words(check: Check) -> str:
    """What it asks without its type; empty for a check that asks nothing more."""
    match check.get("type"):
        case "length":
            return _length(check)
        case "max_cost_usd":
            return f"${number_format(Decimal(str(check['value'])), force_grouping=True)}"
        case "max_latency_ms":
            return f"{count(check['value'])} ms"
    return _parameters(check)


def _length(check: Check) -> str:
    bounds = [f"{ASKED[key].label} {count(check[key])}".lower() for key in ("min", "max") if key in check]
    path = f" ({check['path']})" if "path" in check else ""
    return f"{', '.join(bounds)} {dict(UNITS).get(check.get('unit', ''), '')}{path}"


def _parameters(check: Check) -> str:
    """The value, then where it is looked for and how."""
    value = check.get("value", check.get("schema", check.get("criterion")))
    parts = [value if isinstance(value, str) else compact(value)] if value not in (None, {}) else []
    parts += [str(check["path"])] if "path" in check else []
    parts += [_("capital and small letters differ")] if check.get("case_sensitive") else []
    return ", ".join(parts)
