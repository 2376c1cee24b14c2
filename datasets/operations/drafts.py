"""The one entrance of case text: what form, API and import send becomes valid fields, or an error that names all."""

from collections.abc import Mapping
from typing import Any

from core.reading_child import ReadingChild
from core.refusals import refusal
from datasets.logic.drafts import CaseDraft
from datasets.logic.validation import read_case, read_fields


def draft_from(raw: Mapping[str, Any]) -> CaseDraft:
    """A whole new case. Raises `Invalid` with every problem (DS-41, DS-46 to DS-48)."""
    with ReadingChild() as child:
        draft, problems = read_case(raw, child)
    if draft is None:
        raise refusal(problems)
    return draft


def changes_from(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a case, valid each by itself. Raises `Invalid` with every problem."""
    with ReadingChild() as child:
        values, problems = read_fields(raw, child)
    if problems:
        raise refusal(problems)
    return values
