"""Knowledge bases in the console: the list, a new one, its page, its details, its deletion (PL-24)."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done, refused
from accounts.views.sharing import sharing_context
from agents.forms.knowledge import DeleteKnowledgeForm, KnowledgeForm, NewKnowledgeForm
from agents.operations.knowledge import change_knowledge_base, create_knowledge_base, delete_knowledge_base
from agents.queries.knowledge import agents_reading, documents_of, find_knowledge, visible_knowledge
from agents.queries.passages import search_knowledge
from agents.views.knowledge_sharing import SHARING
from core.errors import Invalid
from core.limits import LIMITS
from core.pages import respond

ORDERS = {"name": ("name_folded", "pk"), "documents": ("document_count", "pk"), "changed": ("changed_at", "pk")}
TABS = ("documents", "search", "sharing")
SHOWN = 20  # passages of one search on the page


@require_safe
def knowledge_list(request: Any) -> HttpResponse:
    """What the member can see, by name."""
    access.require(request.actor, Permission.KNOWLEDGE_VIEW)
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    sort = request.GET.get("sort", "")
    sort = sort if sort.removeprefix("-") in ORDERS else "name"
    sign = "-" if sort.startswith("-") else ""
    rows = visible_knowledge(request.actor, search=search)
    ordered = rows.order_by(*[sign + column for column in ORDERS[sort.removeprefix("-")]])
    page = Paginator(ordered, LIMITS.page_size).get_page(request.GET.get("page"))
    may_create = access.may(request.actor, Permission.KNOWLEDGE_EDIT)
    context = {"page": page, "search": search, "may_create": may_create}
    return respond(request, "agents/knowledge/list.html", context, part="table")


@require_http_methods(["GET", "POST"])
def knowledge_new(request: Any) -> HttpResponse:
    """Name a new base; it opens as soon as it exists."""
    access.require(request.actor, Permission.KNOWLEDGE_EDIT)
    form = NewKnowledgeForm(request.POST or None)
    if form.is_valid():
        try:
            made = create_knowledge_base(request.actor, **form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            text = _("The knowledge base is there. Now add its first documents.")
            return done(request, reverse("knowledge", args=[made.pk]), text)
    return _form_dialog(request, form, reverse("knowledge_list"), _("New knowledge base"), _("Create knowledge base"))


@require_safe
def knowledge(request: Any, knowledge_id: UUID) -> HttpResponse:
    """Its documents, a search in them, or its sharing."""
    base = find_knowledge(request.actor, knowledge_id)
    may_edit = access.may(request.actor, Permission.KNOWLEDGE_EDIT, base)
    tab = request.GET.get("tab")
    tab = tab if tab in TABS else TABS[0]
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    context = {"base": base, "may_edit": may_edit, "tab": tab, "search": search}
    if tab == "sharing":
        context |= sharing_context(request.actor, SHARING, base, may_edit=may_edit)
    elif tab == "search":
        found = search_knowledge([base.pk], search, limit=SHOWN)
        context["found"] = [(passage, passage.marked(search)) for passage in found]
    else:
        rows = documents_of(base, search=search).order_by("-added_at", "-pk")
        context["page"] = Paginator(rows, LIMITS.page_size).get_page(request.GET.get("page"))
        context["read_by"] = agents_reading(request.actor, base)
    return respond(request, "agents/knowledge/page.html", context, part="found")


@require_http_methods(["GET", "POST"])
def knowledge_details(request: Any, knowledge_id: UUID) -> HttpResponse:
    """Change name and description."""
    base = find_knowledge(request.actor, knowledge_id, Permission.KNOWLEDGE_EDIT)
    form = KnowledgeForm.of(base, request.POST or None)
    back = reverse("knowledge", args=[knowledge_id])
    if form.is_valid():
        try:
            change_knowledge_base(request.actor, knowledge_base_id=knowledge_id, changes=form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, back, _("The details are saved."))
    return _form_dialog(request, form, back, _("Edit details"), _("Save"))


@require_http_methods(["GET", "POST"])
def knowledge_delete(request: Any, knowledge_id: UUID) -> HttpResponse:
    """Say in numbers what goes, ask for the name where documents go with it, then delete."""
    base = find_knowledge(request.actor, knowledge_id, Permission.KNOWLEDGE_EDIT)
    form = DeleteKnowledgeForm(request.POST or None, thing=base) if base.document_count else None
    if request.method == "POST" and (form is None or form.is_valid()):
        delete_knowledge_base(request.actor, knowledge_base_id=knowledge_id)
        return done(request, reverse("knowledge_list"), _("“%(name)s” is deleted.") % {"name": base.name})
    return dialog(
        request,
        "delete_knowledge",
        title=_("Delete “%(name)s”?") % {"name": base.name},
        back=reverse("knowledge", args=[knowledge_id]),
        app="agents",
        status=422 if form is not None and form.is_bound else 200,
        base=base,
        form=form,
        read_by=agents_reading(request.actor, base),
        submit=_("Delete knowledge base"),
        danger=True,
    )


def _form_dialog(request: Any, form: Any, back: str, title: str, submit: str) -> HttpResponse:
    status = 422 if form.is_bound else 200
    context = {"form": form, "submit": submit}
    return dialog(request, "form", title=title, back=back, app="accounts", status=status, **context)
