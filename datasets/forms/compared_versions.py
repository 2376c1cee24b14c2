"""What the address of a comparison says: which two versions, and which changes of them."""

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.http import urlencode

from datasets.forms.numbers import whole_number
from datasets.queries.version_changes import ChangeKind


@dataclass(frozen=True)
class ComparedVersions:
    """The address, read leniently: a number that does not exist gives way to one that does, and the page says so."""

    first: int
    second: int
    newest: int
    kind: ChangeKind | None
    is_wrong: bool

    @classmethod
    def of(cls, query: QueryDict, newest: int) -> "ComparedVersions":
        """Without `to` the newest version, without `from` the one before it."""
        second = _number(query.get("to"), newest)
        there = _exists(second, newest)
        second = second if there else newest
        first = _number(query.get("from"), max(min(1, newest), second - 1))
        wrong = not there or not _exists(first, newest)
        first = first if _exists(first, newest) else max(min(1, newest), second - 1)
        kind = query.get("change")
        return cls(first, second, newest, ChangeKind(kind) if kind in list(ChangeKind) else None, wrong)

    @property
    def goes_back(self) -> bool:
        """Whether the second version is the older one."""
        return self.second < self.first

    def address(self, kind: ChangeKind | None = None) -> str:
        """The query string of these versions and this kind of change."""
        return "?" + urlencode({"from": self.first, "to": self.second} | ({"change": kind} if kind else {}))

    @property
    def all_address(self) -> str:
        """The same with every kind of change."""
        return self.address()

    @property
    def swapped_address(self) -> str:
        """The other way round."""
        return "?" + urlencode({"from": self.second, "to": self.first})


def _exists(number: int, newest: int) -> bool:
    return min(1, newest) <= number <= newest


def _number(text: str | None, default: int) -> int:
    """The number, the default where none is said, -1 for what is no number."""
    found = whole_number(text)
    return default if not text else -1 if found is None else found
