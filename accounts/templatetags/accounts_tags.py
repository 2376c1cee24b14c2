"""How entries of the audit log are written out."""

from typing import Any

from django import template

from accounts import audit

register = template.Library()


@register.filter
def action_label(action: str) -> str:
    """The action in words."""
    return audit.action_label(action)


@register.filter
def audit_details(details: dict[str, Any]) -> str:
    """Counts and names of fields on one line: "fields: name, theme; cases: 40". Empty values are left out."""
    return "; ".join(f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in details.items() if value)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_shown(inner) for inner in value)
    return str(value)
