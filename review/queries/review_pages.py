"""The pages of the review of answers: newest first, or those that wait for a person before the rest (RV-D4, RV-D6)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Value

from accounts.actor import Actor
from core.limits import LIMITS
from core.paging import Order, Page, Segment, segmented_page
from datasets.models import Dataset
from review.models import Stay
from scoring.models import Score, ScoreOutcome
from scoring.queries.scores import NEWEST_FIRST, ScoreFilter, scores_of

WAITING_FIRST = "waiting_first"
# So many agents are read one beside the other; of more, the newest scores are looked through.
MOST_APART = 4
# Those that came last into the queue first, as the newest answers stand first elsewhere.
LAST_SENT_FIRST = [Order("entered_at", descending=True), Order("id", descending=True)]
WAITS = Exists(Stay.objects.filter(score=OuterRef("pk"), left_at=None))


def review_page(
    actor: Actor,
    dataset: Dataset,
    wanted: ScoreFilter,
    *,
    sort: str = "",
    cursor: str = "",
    size: int = LIMITS.page_size,
) -> Page[Score]:
    """One page of the dataset's scores that the filter lets through. Raises `Invalid` at `cursor`."""
    return segmented_page(segments_of(actor, dataset, wanted, sort=sort), cursor=cursor, size=size)


def first_matching(
    actor: Actor, dataset: Dataset, wanted: ScoreFilter, *, sort: str = "", until: datetime, most: int
) -> list[UUID]:
    """The ids of the first scores of the list, without those that came after `until` (RV-D8)."""
    segments = segments_of(actor, dataset, wanted, sort=sort)
    earlier = [replace(one, sources=[rows.filter(created_at__lte=until) for rows in one.sources]) for one in segments]
    return [score.pk for score in segmented_page(earlier, size=most).rows]


def count_matching(actor: Actor, dataset: Dataset, wanted: ScoreFilter, *, most: int) -> int:
    """How many scores the filter lets through; counting ends at `most`."""
    return scores_of(actor, dataset, wanted).order_by()[:most].count()


def segments_of(actor: Actor, dataset: Dataset, wanted: ScoreFilter, *, sort: str = "") -> list[Segment[Score]]:
    """The list as segments that an index holds in order each, so that no page sorts all of it.

    Each score says by `waits` whether it waits for review.
    """
    sources = [scores_of(actor, dataset, one) for one in _apart(wanted)]
    if sort != WAITING_FIRST:
        return [Segment([source.annotate(waits=WAITS) for source in sources], NEWEST_FIRST)]
    rest = [source.filter(~WAITS).annotate(waits=Value(False)) for source in sources]
    waiting = waiting_among(scores_of(actor, dataset, wanted), dataset).annotate(waits=Value(True))
    return [Segment([waiting], LAST_SENT_FIRST), Segment(rest, NEWEST_FIRST)]


def waiting_among(scores: QuerySet[Score], dataset: Dataset) -> QuerySet[Score]:
    """Those that wait, each with when it came into the queue."""
    stay = FilteredRelation("stays", condition=Q(stays__left_at=None))
    return scores.annotate(stay=stay, entered_at=F("stay__entered_at")).filter(stay__dataset=dataset)


def _apart(wanted: ScoreFilter) -> Sequence[ScoreFilter]:
    """Filters that let through the same between them, each with an order that an index holds.

    All outcomes let through nearly every score, which are then read by time.
    """
    if 1 < len(wanted.outcomes) < len(ScoreOutcome.values):
        return [replace(wanted, outcomes=(one,)) for one in dict.fromkeys(wanted.outcomes)]
    if not wanted.outcomes and 1 < len(wanted.agent_ids) <= MOST_APART:
        return [replace(wanted, agent_ids=(one,)) for one in dict.fromkeys(wanted.agent_ids)]
    return [wanted]
