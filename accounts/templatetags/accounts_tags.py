"""How entries of the audit log and sessions are written out."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from accounts import actions, privacy

register = template.Library()

# The first sign that is found decides: every browser also claims to be those it descends from.
BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


@register.filter
def reached(report: dict[str, dict[str, int]]) -> list[tuple[str, int]]:
    """What an erasure reached, in words."""
    return privacy.in_words(report)


@register.filter
def action_label(action: str) -> str:
    """The action in words."""
    return actions.action_label(action)


@register.filter
def audit_details(details: dict[str, Any]) -> str:
    """Counts and names of fields on one line: "fields: name, theme; cases: 40". Empty values are left out."""
    return "; ".join(f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in details.items() if value)


@register.filter
def browser_name(user_agent: str) -> str:
    """A browser as people call it, from what it says of itself: "Firefox on Windows"."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or user_agent[:60] or _("Unknown")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_shown(inner) for inner in value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)
