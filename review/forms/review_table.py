"""What the address of the review of answers says: filters, order, page, the score in the panel (RV-5, RV-D6)."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from review.queries.review_pages import WAITING_FIRST
from scoring.models import ScoreOrigin, ScoreOutcome
from scoring.queries.scores import ScoreFilter

FILTERS = ("outcome", "agent", "tag", "origin", "answer_set", "eval_run")
# What of the address belongs to the list, and goes along with a row or a form.
OF_THE_LIST = (*FILTERS, "sort", "after", "before", "cursor")
# So many values of one filter are read.
MOST_VALUES = 50


@dataclass(frozen=True)
class ReviewState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page.

    `list_query` is what it says of the list, `filter_query` the same without order and page.
    """

    filter: ScoreFilter
    sort: str
    cursor: str
    score_id: UUID | None
    list_query: str
    filter_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "ReviewState":
        return cls(
            filter=ScoreFilter(
                outcomes=_known(query, "outcome", ScoreOutcome.values),
                origins=_known(query, "origin", ScoreOrigin.values),
                tags=tuple(text[: LIMITS.tag_characters].strip() for text in _sent(query, "tag") if text.strip()),
                agent_ids=_ids(query, "agent"),
                answer_set_ids=_ids(query, "answer_set"),
                eval_run_ids=_ids(query, "eval_run"),
            ),
            sort=WAITING_FIRST if query.get("sort") == WAITING_FIRST else "",
            cursor=query.get("after") or query.get("before") or query.get("cursor", ""),
            score_id=id_of(query.get("score")),
            list_query=_kept(query, OF_THE_LIST),
            filter_query=_kept(query, FILTERS),
        )

    @property
    def export_query(self) -> str:
        """What an export of the list is asked with."""
        return f"{self.filter_query}&sort={self.sort}" if self.sort else self.filter_query

    @property
    def is_waiting_first(self) -> bool:
        return self.sort == WAITING_FIRST

    @property
    def eval_run_id(self) -> UUID | None:
        """The one test run that the list is filtered by (RV-D5)."""
        runs = self.filter.eval_run_ids
        return runs[0] if len(runs) == 1 else None


def _sent(query: QueryDict, name: str) -> list[str]:
    """The values of a parameter, each once, without empty ones."""
    return list(dict.fromkeys(text for text in query.getlist(name) if text))[:MOST_VALUES]


def _known(query: QueryDict, name: str, known: Collection[str]) -> tuple[str, ...]:
    return tuple(text for text in _sent(query, name) if text in known)


def _ids(query: QueryDict, name: str) -> tuple[UUID, ...]:
    return tuple(dict.fromkeys(key for key in map(id_of, _sent(query, name)) if key))


def _kept(query: QueryDict, names: Collection[str]) -> str:
    kept = QueryDict(mutable=True)
    for name in names:
        if values := _sent(query, name):
            kept.setlist(name, values)
    return kept.urlencode()
