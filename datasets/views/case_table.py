"""What the Cases tab shows: the page of the table, and the case in the side panel."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import NotFound
from core.limits import LIMITS
from datasets.forms.table_state import TableState
from datasets.models import Dataset, Source
from datasets.queries.cases import case_was_deleted, find_case, has_anonymised, newest_version_with, tags_of
from datasets.queries.seen_cases import SeenCase
from datasets.queries.versions import find_version
from datasets.queries.whole_version import rows_of_version
from datasets.views.addresses import page_address

EXPECTATION_WORDS = {
    "reference_answer": _("Reference answer"),
    "counter_example": _("Counter-example"),
    "expected_tool_calls": _("Expected tool calls"),
    "checks": _("Checks"),
}


@dataclass(frozen=True)
class Shown:
    """Which version is on screen and what may be done with it."""

    dataset: Dataset
    number: int
    case_count: int
    may_edit: bool
    wrong_number: bool
    text_removed_at: datetime | None = None  # said of an older version (ACC-D29)

    @property
    def is_newest(self) -> bool:
        return self.number == self.dataset.newest_version

    @property
    def number_text(self) -> str:
        return str(self.number)

    @property
    def may_change(self) -> bool:
        """An older version is read-only (DS-60)."""
        return self.may_edit and self.is_newest


def shown_version(actor: Actor, dataset: Dataset, state: TableState) -> Shown:
    """The version of the address; a number that does not exist shows the newest and says so (DS-D8)."""
    wanted = dataset.newest_version if state.version is None else state.version
    exists = state.version is None or 1 <= wanted <= dataset.newest_version
    may_edit = access.may(actor, Permission.DATASETS_EDIT, dataset)
    number = wanted if exists else dataset.newest_version
    if number == dataset.newest_version:
        return Shown(dataset, number, dataset.case_count, may_edit, wrong_number=not exists)
    version = find_version(dataset, number)
    return Shown(dataset, number, version.case_count, may_edit, False, version.text_removed_at)


def case_table(actor: Actor, shown: Shown, state: TableState) -> dict[str, Any]:
    """The table's context: the page of cases as the actor may see them, and what the filters offer."""
    wanted = (state.filter, state.order)
    rows: Any = rows_of_version(actor, shown.dataset, shown.number, *wanted, total=shown.case_count)
    return {
        "page": Paginator(rows, LIMITS.page_size).get_page(state.page),
        "tags": tags_of(shown.dataset, shown.number),
        "some_anonymised": has_anonymised(shown.dataset, shown.number),
        "state": state,
        "sources": Source.choices,
        "expectations": EXPECTATION_WORDS.items(),
    }


def case_panel(actor: Actor, shown: Shown, state: TableState) -> dict[str, Any]:
    """The side panel's context: the case, or why it is not there (DS-D9)."""
    case_id = state.case_id
    if case_id is None:
        return {}
    close = page_address(shown.dataset.pk, state.list_query)
    found = _case_or_none(actor, shown, case_id)
    elsewhere = None if found else newest_version_with(shown.dataset, case_id)
    link = page_address(shown.dataset.pk, version=elsewhere, case=case_id) if elsewhere else ""
    shown_case = {"case": found, "panel_row": case_id, "close_href": close}
    return {**shown_case, "elsewhere": elsewhere, "elsewhere_href": link, "text_to_remove": _text_stays(shown, found)}


def _text_stays(shown: Shown, case: SeenCase | None) -> bool:
    """Whether the case was deleted, and older versions still hold a text that the actor may remove (ACC-44)."""
    if case is None or case.anonymised_at or not shown.may_edit or shown.is_newest:
        return False
    return case_was_deleted(shown.dataset, case.id)


def _case_or_none(actor: Actor, shown: Shown, case_id: UUID) -> SeenCase | None:
    try:
        return find_case(actor, shown.dataset, shown.number, case_id)
    except NotFound:
        return None
