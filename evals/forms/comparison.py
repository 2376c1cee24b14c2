"""What the address of a comparison says: the other run, the filters, the page, the open case (EV-D44)."""

from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from evals.logic.compared_cases import CHANGE_FILTERS, ChangeFilter

# What of the address belongs to the list, and goes along with a row.
OF_THE_LIST = ("with", "change", "tag", "page")


@dataclass(frozen=True)
class ComparisonState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page.

    `other_id` is the run compared with, None where none is named. `before` and `after` are the numbers of the attempts
    that are read of the open case, 0 for the most telling ones.
    """

    other_id: UUID | None
    filter: ChangeFilter
    page: str
    case_id: UUID | None
    before: int
    after: int
    list_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "ComparisonState":
        kept = QueryDict(mutable=True)
        kept.update({name: str(query[name]) for name in OF_THE_LIST if query.get(name)})
        change = query.get("change", "")
        return cls(
            other_id=id_of(query.get("with")),
            filter=ChangeFilter(
                change=change if change in CHANGE_FILTERS else "",
                tag=query.get("tag", "")[: LIMITS.tag_characters],
            ),
            page=query.get("page", ""),
            case_id=id_of(query.get("case")),
            before=_number(query.get("before")),
            after=_number(query.get("after")),
            list_query=kept.urlencode(),
        )


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 4 else 0
