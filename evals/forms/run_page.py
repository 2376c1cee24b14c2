"""What the address of a test run's page says: its tab, the filters of its cases, the page, and the open case."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from evals.logic.classes import ChangeClass
from evals.logic.item_list import ItemFilter
from scoring.logic.findings import Outcome


class Tab(StrEnum):
    """The parts of the page."""

    CASES = "cases"
    TAGS = "tags"
    EVALUATORS = "evaluators"
    COST = "cost"
    CONFIGURATION = "configuration"


# What of the address belongs to the list, and goes along with a row.
OF_THE_LIST = ("show", "result", "change", "tag", "after", "before")


@dataclass(frozen=True)
class RunPageState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page.

    `filter` is None where the address names none: the list then opens with what went worse. `show=all` asks for every
    case.
    """

    tab: Tab
    filter: ItemFilter | None
    after: str
    before: str
    item_id: UUID | None
    list_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "RunPageState":
        kept = QueryDict(mutable=True)
        kept.update({name: str(query[name]) for name in OF_THE_LIST if query.get(name)})
        names_one = any(name in query for name in ("show", "result", "change", "tag"))
        return cls(
            tab=Tab(_one_of(query.get("tab"), tuple(Tab)) or Tab.CASES),
            filter=item_filter(query) if names_one else None,
            after=query.get("after", ""),
            before=query.get("before", ""),
            item_id=id_of(query.get("case")),
            list_query=kept.urlencode(),
        )


def item_filter(query: QueryDict) -> ItemFilter:
    """The filters that an address names."""
    return ItemFilter(
        result=_one_of(query.get("result"), tuple(Outcome)),
        change=_one_of(query.get("change"), tuple(ChangeClass)),
        tag=query.get("tag", "")[: LIMITS.tag_characters],
    )


def _one_of(text: str | None, known: Sequence[str]) -> str:
    return text if text and text in known else ""
