"""How the review of answers is written on pages."""

from collections.abc import Sequence

from django import template

from review.models import Ruling
from scoring.queries.mask_marks import mask_mark_of_rows
from scoring.queries.score_rows import ScoreRow

register = template.Library()


@register.filter
def ruling_label(ruling: str) -> str:
    """Pass or Fail, as people call it."""
    return str(Ruling(ruling).label)


@register.filter
def rows_mark(rows: Sequence[ScoreRow]) -> str:
    """The mark of what the reader may read of a page of the table (RV-D15)."""
    return mask_mark_of_rows(rows)
