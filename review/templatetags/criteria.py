"""What the card of an answer shows of the criteria that its notes became."""

from dataclasses import dataclass
from typing import Any

from django import template

from core.offers import Offer
from review.queries.criteria import ShownCriterion, criteria_of, offer_to_make
from scoring.queries.score_rows import ScoreRow

register = template.Library()


@dataclass(frozen=True)
class CriteriaOfScore:
    """What notes on the score became, and whether one more may be made."""

    made: list[ShownCriterion]
    offer: Offer


@register.simple_tag(takes_context=True)
def criteria_of_score(context: Any, shown: ScoreRow) -> CriteriaOfScore:
    """For the reader of the page."""
    actor = context["actor"]
    return CriteriaOfScore(criteria_of(actor, shown.score), offer_to_make(actor, shown.score))
