"""The entries of the console's rail: what stands where, and which permission shows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class Entry:
    """One entry. `needs` is a permission's name in lower case as in `can`, empty where every member may go there."""

    label: str | Promise
    icon: str
    url_name: str
    needs: str = ""
    keys: str = ""


@dataclass(frozen=True)
class Shown:
    """An entry as one page shows it."""

    entry: Entry
    href: str
    is_current: bool


MAIN = (
    Entry(_("Dashboard"), "layout-dashboard", "dashboard"),
    Entry(_("Datasets"), "database", "dataset_list", "datasets_view", "g d"),
    Entry(_("Agents"), "bot", "agent_list", "agents_view", "g a"),
    Entry(pgettext_lazy("list of all runs", "Activity"), "activity", "run_list", "runs_view"),
    Entry(pgettext_lazy("talk to an agent", "Chat"), "message-circle", "chat", "agents_run"),
    Entry(_("Knowledge"), "book-open", "knowledge_list", "knowledge_view"),
    Entry(_("Skills"), "sparkles", "skill_list", "skills_view"),
    Entry(_("Models"), "cpu", "connection_list", "connections_manage"),
)
FOOT = (
    Entry(_("Members"), "users", "member_list", "members_manage"),
    Entry(pgettext_lazy("audit log", "Audit"), "scroll-text", "audit_list", "audit_view"),
    Entry(_("Settings"), "settings", "organisation", "organisation_manage"),
)


def shown(entries: tuple[Entry, ...], can: Mapping[str, bool], path: str) -> list[Shown]:
    """Those entries whose page exists and whose permission the member has; the one around `path` is current."""
    found = []
    for entry in entries:
        href = _address(entry.url_name)
        if href and (not entry.needs or can.get(entry.needs)):
            found.append(Shown(entry, href, path.startswith(href) and href != "/"))
    return found


def _address(url_name: str) -> str:
    try:
        return reverse(url_name)
    except NoReverseMatch:
        return ""
