"""Lists of cases for an organisation's Owner: nobody known wrote them, or an erasure may have left a name (ACC-D42)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.limits import LIMITS
from datasets.models import Case
from datasets.queries.cases_to_look_at import erased_cases_to_look_at, listed, listed_without_authors
from datasets.views.addresses import unkept


@require_safe
def cases_without_authors(request: Any) -> HttpResponse:
    """Cases from conversations that an erasure cannot find, because nobody is known to have written them (ACC-60)."""
    sentence = _(
        "Nobody is known to have written the words of these cases: their conversations were gone or named nobody. An "
        "erasure does not find them. Only deleting such a case, with its text in every version, removes it."
    )
    return _list(request, listed_without_authors(request.actor), title=_("Cases without authors"), sentence=sentence)


@require_safe
def erasure_cases(request: Any, request_id: UUID) -> HttpResponse:
    """Cases that an erasure anonymised and whose expected calls or checks may still name the person (ACC-D34)."""
    sentence = _(
        "These cases were anonymised by the erasure. Their expected calls and checks were kept and hold values that "
        "somebody typed: look whether they still name the person."
    )
    found = erased_cases_to_look_at(request.actor, request_id)
    return _list(request, found, title=_("Cases to look at"), sentence=sentence)


def _list(request: Any, cases: QuerySet[Case] | Sequence[Case], *, title: str, sentence: str) -> HttpResponse:
    page: Any = Paginator(cases, LIMITS.page_size).get_page(request.GET.get("page"))
    rows = listed(request.actor, list(page))
    context = {"page": page, "rows": rows, "title": title, "sentence": sentence}
    return unkept(render(request, "datasets/cases_to_look_at.html", context))
