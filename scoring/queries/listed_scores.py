"""Lists of scores with what the review of answers knows of them, for the API (RV-D4, RV-D6)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from accounts.actor import Actor
from core.paging import Segment
from datasets.models import Dataset
from scoring.models import Score
from scoring.places import segments_in_review, waiting_in_review
from scoring.queries.score_rows import ScoreRow
from scoring.queries.scores import NEWEST_FIRST, ScoreFilter, scores_of

SORTS = ("newest_first", "waiting_first")
AnyRow = TypeVar("AnyRow", bound=ScoreRow)


def listed_segments(actor: Actor, dataset: Dataset, wanted: ScoreFilter, *, sort: str = "") -> list[Segment[Score]]:
    """The scores that the filter lets through, in their order: the newest first where nothing else is wanted."""
    reviewed = segments_in_review(actor, dataset, wanted, sort)
    return reviewed or [Segment([scores_of(actor, dataset, wanted)], NEWEST_FIRST)]


def with_review_status(rows: Sequence[AnyRow]) -> list[AnyRow]:
    """The rows, each knowing whether it waits for review; one query at the most."""
    waiting = waiting_in_review([row.id for row in rows])
    return [replace(row, is_in_review=row.id in waiting) for row in rows]
