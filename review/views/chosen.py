"""Which answers an act of the table is about: those that were ticked, or the first of all that match (RV-D8)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from core.limits import LIMITS
from datasets.models import Dataset
from datasets.views.addresses import id_or_none
from review.forms.review_table import ReviewState
from review.queries.review_pages import first_matching


def chosen_of(request: Any, dataset: Dataset, state: ReviewState) -> list[UUID | None]:
    """The ids in the order of the table; None for what is no id.

    `until`, the moment at which all that match were chosen, leaves out what came later.
    """
    until = _moment(request.POST.get("until", ""))
    if until is not None:
        found = first_matching(
            request.actor, dataset, state.filter, sort=state.sort, until=until, most=LIMITS.scores_a_review_request
        )
        return list(found)
    return [id_or_none(sent) for sent in request.POST.getlist("chosen")]


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None
