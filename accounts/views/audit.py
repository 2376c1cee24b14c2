"""The audit log: its page with filters, and the file (PL-8)."""

import csv
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import access
from accounts.forms.audit import AuditFilterForm
from accounts.logic.csv_cells import safe_cell
from accounts.operations.audit_log import export_audit_log
from accounts.permissions import Permission
from accounts.queries.audit import actions_logged, entries, with_names
from accounts.queries.members import everybody_of
from core.paging import Order, keyset_page

NEWEST_FIRST = [Order("at", descending=True), Order("pk", descending=True)]


class Echo:
    """A file that gives back what is written to it, so that the csv module can be streamed."""

    def write(self, line: str) -> str:
        return line


@require_safe
def audit_list(request: Any) -> HttpResponse:
    """The log, newest first."""
    access.require(request.actor, Permission.AUDIT_VIEW)
    form = _filters(request, request.GET)
    cursor = request.GET.get("after") or request.GET.get("before") or ""
    page = keyset_page(entries(request.actor, form.wanted()), NEWEST_FIRST, cursor=cursor)
    context = {"form": form, "page": page, "entries": with_names(page.rows), "filtered": bool(form.wanted().used())}
    return render(request, "accounts/audit_list.html", context)


@require_POST
def audit_export(request: Any) -> StreamingHttpResponse:
    """The matching entries as CSV, streamed; cells that a spreadsheet would run are made text."""
    access.require(request.actor, Permission.AUDIT_VIEW)
    rows = export_audit_log(request.actor, _filters(request, request.POST).wanted())
    writer = csv.writer(Echo())
    lines = (writer.writerow([safe_cell(cell) for cell in row]) for row in rows)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="audit-{day}.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _filters(request: Any, data: Any) -> AuditFilterForm:
    return AuditFilterForm(data, members=everybody_of(request.actor), actions=actions_logged(request.actor))
