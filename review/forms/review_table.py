"""What the address of the review of answers says: filters, page, the score in the panel (RV-5, RV-D6)."""

from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from scoring.models import ScoreOrigin, ScoreOutcome
from scoring.queries.scores import ScoreFilter

# What of the address belongs to the list, and goes along with a row or a form.
OF_THE_LIST = ("outcome", "agent", "tag", "origin", "answer_set", "eval_run", "after", "before", "cursor")


@dataclass(frozen=True)
class ReviewState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page."""

    filter: ScoreFilter
    cursor: str
    score_id: UUID | None
    list_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "ReviewState":
        kept = QueryDict(mutable=True)
        kept.update({name: str(query[name]) for name in OF_THE_LIST if query.get(name)})
        return cls(
            filter=ScoreFilter(
                outcome=_one_of(query.get("outcome"), ScoreOutcome.values),
                origin=_one_of(query.get("origin"), ScoreOrigin.values),
                tag=query.get("tag", "")[: LIMITS.tag_characters],
                agent_id=id_of(query.get("agent")),
                answer_set_id=id_of(query.get("answer_set")),
                eval_run_id=id_of(query.get("eval_run")),
            ),
            cursor=query.get("after") or query.get("before") or query.get("cursor", ""),
            score_id=id_of(query.get("score")),
            list_query=kept.urlencode(),
        )


def _one_of(text: str | None, known: list[str]) -> str:
    return text if text and text in known else ""
