"""Skills in the console: the list, a new one, its page, its deletion (PL-24)."""

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
from agents.forms.skills import NewSkillForm, SkillForm
from agents.operations.skills import change_skill, create_skill, delete_skill
from agents.queries.skills import (
    agents_by_skill,
    agents_using_skill,
    find_skill,
    other_drafts_using_skill,
    visible_skills,
)
from agents.views.skill_sharing import SHARING
from core.errors import Conflict, Invalid
from core.limits import LIMITS
from core.pages import respond

ORDERS = {"name": ("name_folded", "pk"), "changed": ("changed_at", "pk")}


@require_safe
def skill_list(request: Any) -> HttpResponse:
    """What the member can see, by name, with the agents that use each."""
    access.require(request.actor, Permission.SKILLS_VIEW)
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    sort = request.GET.get("sort", "")
    sort = sort if sort.removeprefix("-") in ORDERS else "name"
    sign = "-" if sort.startswith("-") else ""
    rows = visible_skills(request.actor, search=search)
    ordered = rows.order_by(*[sign + column for column in ORDERS[sort.removeprefix("-")]])
    page = Paginator(ordered, LIMITS.page_size).get_page(request.GET.get("page"))
    using = agents_by_skill(request.actor, list(page))
    context = {"page": page, "skills": [(skill, using[skill.pk]) for skill in page], "search": search}
    context["may_create"] = access.may(request.actor, Permission.SKILLS_EDIT)
    return respond(request, "agents/skills/list.html", context, part="table")


@require_http_methods(["GET", "POST"])
def skill_new(request: Any) -> HttpResponse:
    """Write a skill."""
    access.require(request.actor, Permission.SKILLS_EDIT)
    form = NewSkillForm(request.POST or None)
    if form.is_valid():
        try:
            made = create_skill(request.actor, **form.changes(), visibility=form.cleaned_data["visibility"])
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, reverse("skill", args=[made.pk]), _("The skill is there. Give it to an agent."))
    status = 422 if form.is_bound else 200
    return respond(request, "agents/skills/new.html", {"form": form}, part="form", status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def skill(request: Any, skill_id: UUID) -> HttpResponse:
    """Its instructions, to be read or changed, or its sharing."""
    found = find_skill(request.actor, skill_id)
    may_edit = access.may(request.actor, Permission.SKILLS_EDIT, found)
    if request.method == "POST":
        return _saved(request, skill_id)
    tab = "sharing" if request.GET.get("tab") == "sharing" else "text"
    context = {"skill": found, "may_edit": may_edit, "tab": tab, "form": SkillForm.of(found) if may_edit else None}
    if tab == "sharing":
        context |= sharing_context(request.actor, SHARING, found, may_edit=may_edit)
    context["used_by"] = agents_using_skill(request.actor, found)
    return respond(request, "agents/skills/page.html", context, part="page")


@require_http_methods(["GET", "POST"])
def skill_delete(request: Any, skill_id: UUID) -> HttpResponse:
    """Say which drafts use it, then delete."""
    found = find_skill(request.actor, skill_id, Permission.SKILLS_EDIT)
    if request.method == "POST":
        delete_skill(request.actor, skill_id=skill_id)
        return done(request, reverse("skill_list"), _("“%(name)s” is deleted.") % {"name": found.name})
    context: dict[str, Any] = {
        "used_by": agents_using_skill(request.actor, found),
        "submit": _("Delete skill"),
        "danger": True,
    }
    context["others"] = other_drafts_using_skill(request.actor, found)
    title = _("Delete “%(name)s”?") % {"name": found.name}
    back = reverse("skill", args=[skill_id])
    return dialog(request, "delete_skill", title=title, back=back, app="agents", **context)


def _saved(request: Any, skill_id: UUID) -> HttpResponse:
    found = find_skill(request.actor, skill_id, Permission.SKILLS_EDIT)
    form, status = SkillForm.of(found, request.POST), 422
    if form.is_valid():
        try:
            revision = form.cleaned_data["revision"]
            change_skill(request.actor, skill_id=skill_id, changes=form.changes(), base_revision=revision)
        except (Invalid, Conflict) as error:
            refused(form, error)
            status = 409 if isinstance(error, Conflict) else 422
        else:
            return done(request, reverse("skill", args=[skill_id]), _("The skill is saved."))
    context = {"skill": found, "may_edit": True, "tab": "text", "form": form, "is_stale": status == 409}
    context["used_by"] = agents_using_skill(request.actor, found)
    return respond(request, "agents/skills/page.html", context, part="form", status=status)
