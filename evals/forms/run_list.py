"""What the address of the list of test runs says: its filters, the page, whose trend is drawn (EV-D2)."""

from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from evals.models import EvalState
from evals.queries.evals import EvalFilter

# What of the address belongs to the list, and goes along with its pages.
OF_THE_LIST = ("agent", "status", "label", "archived", "trend", "after", "before")


@dataclass(frozen=True)
class RunListState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page.

    `trend` is the agent whose rates are drawn where the address names one.
    """

    filter: EvalFilter
    status: str
    trend: UUID | None
    cursor: str
    list_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "RunListState":
        kept = QueryDict(mutable=True)
        kept.update({name: str(query[name]) for name in OF_THE_LIST if query.get(name)})
        status = query.get("status", "")
        status = status if status in EvalState.values else ""
        agent = id_of(query.get("agent"))
        return cls(
            filter=EvalFilter(
                agent=agent,
                states=(status,) if status else (),
                label=query.get("label", "")[: LIMITS.search_characters],
                archived=query.get("archived") == "true",
            ),
            status=status,
            trend=agent or id_of(query.get("trend")),
            cursor=query.get("after") or query.get("before") or "",
            list_query=kept.urlencode(),
        )
