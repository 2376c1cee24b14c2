"""Documents of a knowledge base in the console: adding several files, reading one, removing it (PL-24)."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done
from agents.operations.documents import Outcome, add_documents, remove_document
from agents.queries.knowledge import find_document, find_knowledge, passages_of
from core.errors import Invalid
from core.limits import LIMITS
from core.numbers import count
from core.pages import respond


@require_http_methods(["GET", "POST"])
def document_new(request: Any, knowledge_id: UUID) -> HttpResponse:
    """Choose files; those that are refused are named with the reason, the others are added."""
    base = find_knowledge(request.actor, knowledge_id, Permission.KNOWLEDGE_EDIT)
    context: dict[str, Any] = {"base": base, "most": LIMITS.documents_a_request}
    if request.method == "GET":
        return respond(request, "agents/knowledge/add.html", context, part="dialog")
    files = request.FILES.getlist("files")
    sent = [(file.name or "", file.read(LIMITS.document_bytes + 1)) for file in files[: LIMITS.documents_a_request + 1]]
    try:
        outcomes = add_documents(request.actor, knowledge_base_id=knowledge_id, files=sent)
    except Invalid as error:
        context["problem"] = error.problems[0].message
        return respond(request, "agents/knowledge/add.html", context, part="dialog", status=422)
    if all(outcome.document for outcome in outcomes):
        return done(request, reverse("knowledge", args=[knowledge_id]), _added(outcomes))
    context["outcomes"] = outcomes
    return respond(request, "agents/knowledge/add.html", context, part="dialog", status=422)


@require_safe
def document(request: Any, knowledge_id: UUID, document_id: UUID) -> HttpResponse:
    """What was read of a document: its passages as a search finds them."""
    base = find_knowledge(request.actor, knowledge_id)
    found = find_document(base, document_id)
    page = Paginator(passages_of(found), LIMITS.page_size).get_page(request.GET.get("page"))
    may_edit = access.may(request.actor, Permission.KNOWLEDGE_EDIT, base)
    context = {"base": base, "document": found, "page": page, "may_edit": may_edit}
    return respond(request, "agents/knowledge/document.html", context, part="passages")


@require_http_methods(["GET", "POST"])
def document_remove(request: Any, knowledge_id: UUID, document_id: UUID) -> HttpResponse:
    """Say how much goes, then remove it."""
    base = find_knowledge(request.actor, knowledge_id, Permission.KNOWLEDGE_EDIT)
    found = find_document(base, document_id)
    back = reverse("knowledge", args=[knowledge_id])
    if request.method == "POST":
        remove_document(request.actor, knowledge_base_id=knowledge_id, document_id=document_id)
        return done(request, back, _("“%(name)s” is removed.") % {"name": found.name})
    title = _("Remove “%(name)s”?") % {"name": found.name}
    context: dict[str, Any] = {"document": found, "submit": _("Remove document"), "danger": True}
    return dialog(request, "remove_document", title=title, back=back, app="agents", **context)


def _added(outcomes: list[Outcome]) -> str:
    passages = sum(outcome.document.passage_count for outcome in outcomes if outcome.document)
    words = ngettext(
        "%(documents)s document is added, in %(passages)s passages.",
        "%(documents)s documents are added, in %(passages)s passages.",
        len(outcomes),
    )
    return words % {"documents": count(len(outcomes)), "passages": count(passages)}
