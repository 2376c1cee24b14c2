"""What the address or the form of the dialog "Score against a case" says: dataset, case, search, page, what to do."""

from dataclasses import dataclass
from uuid import UUID

from django.http import QueryDict

from activity.forms.run_list import id_of
from core.limits import LIMITS
from datasets.forms.numbers import whole_number

ADD, SCORE = "add", "score"


@dataclass(frozen=True)
class DialogState:
    """Read leniently: what is not understood is left out."""

    dataset_id: UUID | None
    case_id: UUID | None
    search: str
    page: int
    act: str

    @classmethod
    def of(cls, sent: QueryDict) -> "DialogState":
        return cls(
            dataset_id=id_of(sent.get("dataset")),
            case_id=id_of(sent.get("case")),
            search=sent.get("q", "")[: LIMITS.search_characters],
            page=whole_number(sent.get("page")) or 1,
            act=ADD if sent.get("act") == ADD else SCORE,
        )

    @property
    def page_query(self) -> str:
        """What the links to other pages of cases carry besides the page's number."""
        query = QueryDict(mutable=True)
        query.update({name: str(value) for name, value in (("dataset", self.dataset_id), ("q", self.search)) if value})
        return query.urlencode()
