"""What the address of a dataset's page says: tab and its part, version, case, filters, order, page."""

from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from core.limits import LIMITS
from datasets.logic.drafts import EXPECTATIONS
from datasets.models import Source
from datasets.queries.cases import CaseFilter

TABS = ("cases", "results", "settings")
# Sort names of the address to columns; the newest case first without one (DS-D5).
ORDERS = {"added": "position", "question": "search_text", "changed": "since"}
NOT_OF_THE_LIST = ("case", "tab", "part", "view")


@dataclass(frozen=True)
class TableState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page."""

    tab: str
    part: str
    version: int | None
    case: str
    filter: CaseFilter
    sort: str
    page: int
    list_query: str

    @classmethod
    def of(cls, query: QueryDict) -> "TableState":
        tab = query.get("tab", "")
        kept = query.copy()
        for name in NOT_OF_THE_LIST:
            kept.pop(name, None)
        return cls(
            tab=tab if tab in TABS else "cases",
            part=query.get("part") or query.get("view", ""),  # RV-D6 calls it a view
            version=_number(query.get("version")),
            case=query.get("case", ""),
            filter=CaseFilter(
                search=query.get("q", "")[: LIMITS.search_characters],
                source=_one_of(query.get("source"), Source.values),
                tag=query.get("tag", "")[: LIMITS.tag_characters],
                expectation=_one_of(query.get("expectation"), EXPECTATIONS),
                anonymised=True if query.get("anonymised") == "true" else None,
            ),
            sort=_one_of(query.get("sort"), [sign + name for name in ORDERS for sign in ("", "-")]),
            page=_number(query.get("page")) or 1,
            list_query=kept.urlencode(),
        )

    @property
    def list_suffix(self) -> str:
        """What an address that leads back to the list carries."""
        return f"?{self.list_query}"

    @property
    def order(self) -> list[str]:
        """The columns to order by; places never tie."""
        sort = self.sort or "-added"
        sign = "-" if sort.startswith("-") else ""
        columns = dict.fromkeys([ORDERS[sort.removeprefix("-")], "position"])
        return [sign + column for column in columns]

    @property
    def case_id(self) -> UUID | None:
        try:
            return UUID(self.case) if self.case else None
        except ValueError:
            return UUID(int=0)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _one_of(text: str | None, known: object) -> str:
    return text if text and text in known else ""  # type: ignore[operator]
