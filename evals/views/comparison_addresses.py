"""Addresses of the comparison of two test runs: both ids, the filters, and what is open (EV-D44)."""

from uuid import UUID

from django.http import QueryDict
from django.urls import reverse


def comparison_address(eval_id: UUID, other_id: UUID, query: str = "", **changed: object) -> str:
    """The page; `query` is what it says besides, and `changed` replaces parts of that."""
    kept = QueryDict(query, mutable=True)
    for name, value in changed.items():
        if value in (None, "", 0):
            kept.pop(name, None)
        else:
            kept[name] = str(value)
    kept.pop("with", None)
    rest = kept.urlencode()
    return f"{reverse('eval-compare', args=[eval_id])}?with={other_id}" + (f"&{rest}" if rest else "")
