"""Pages of lists as the API gives them: by cursor, or by number with a total where the spec says so (DS-D6)."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.api.serializers import StrictSerializer
from core.errors import Invalid
from core.limits import LIMITS
from core.paging import Order, Segment, keyset_page, page_of_rows, page_size, segmented_page

ToJson = Callable[[list[Any]], Any]
LAST_PAGE = 1_000_000


class KeysetQuery(StrictSerializer):
    """The query parameters of a list paged by cursor; a list with filters inherits from it."""

    cursor = serializers.CharField(required=False, help_text="From `next` or `previous` of another page.")
    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=LIMITS.page_size_max, help_text="Rows on a page."
    )


class NumberedQuery(StrictSerializer):
    """The query parameters of a list paged by number; a list with filters inherits from it."""

    page = serializers.IntegerField(required=False, min_value=1, max_value=LAST_PAGE, help_text="From 1.")
    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=LIMITS.page_size_max, help_text="Rows on a page."
    )


def keyset_answer(
    request: Request,
    rows: QuerySet[Any] | Sequence[Any],
    order: Sequence[Order],
    query: dict[str, Any],
    to_json: ToJson,
) -> Response:
    """`{"results", "next", "previous"}`: the page that the query asks for; `next` and `previous` are URLs or null.

    `to_json` makes JSON of the page's rows; rows that were computed come in their order. `Link` says the same for
    clients that follow it (RFC 8288).
    """
    paging: dict[str, Any] = {"cursor": query.get("cursor", ""), "size": page_size(query.get("page_size"))}
    page = keyset_page(rows, order, **paging) if isinstance(rows, QuerySet) else page_of_rows(rows, order, **paging)
    links = {"next": _url(request, cursor=page.next), "previous": _url(request, cursor=page.previous)}
    return _with_links(links, to_json(page.rows))


def segmented_answer(
    request: Request, segments: Sequence[Segment[Any]], query: dict[str, Any], to_json: ToJson
) -> Response:
    """The same of a list in segments, which follow each other."""
    size = page_size(query.get("page_size"))
    page = segmented_page(segments, cursor=query.get("cursor", ""), size=size)
    links = {"next": _url(request, cursor=page.next), "previous": _url(request, cursor=page.previous)}
    return _with_links(links, to_json(page.rows))


def numbered_answer(request: Request, rows: QuerySet[Any], query: dict[str, Any], to_json: ToJson) -> Response:
    """`{"results", "total", "page", "page_size", "next", "previous"}`; `rows` come ordered.

    A page beyond the last is Invalid at `page`, but the first page of an empty list is empty.
    """
    size, number = page_size(query.get("page_size")), query.get("page", 1)
    total = rows.count()
    last = max(1, -(-total // size))
    if number > last:
        raise Invalid.at("page", _("There are %(last)d pages.") % {"last": last})
    links = {
        "next": _url(request, page=number + 1 if number < last else None),
        "previous": _url(request, page=number - 1 if number > 1 else None),
    }
    found = to_json(list(rows[(number - 1) * size : number * size]))
    return _with_links(links, found, total=total, page=number, page_size=size)


def _url(request: Request, **change: Any) -> str | None:
    url = request.build_absolute_uri()
    for name, value in change.items():
        if value is None:
            return None
        url = replace_query_param(url, name, value)
    return url


def _with_links(links: dict[str, str | None], results: Any, **more: Any) -> Response:
    named = ((name.replace("previous", "prev"), url) for name, url in links.items())
    header = ", ".join(f'<{url}>; rel="{name}"' for name, url in named if url)
    return Response({"results": results, **more, **links}, headers={"Link": header} if header else {})
