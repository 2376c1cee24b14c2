"""Naming, sharing and deleting a conversation (PL-30)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Visibility
from accounts.views.answers import dialog, done, refused
from activity.forms.chat import DeleteForm, TitleForm
from activity.operations.conversations import (
    change_conversation_visibility,
    delete_conversation,
    rename_conversation,
)
from activity.queries.conversations import find_conversation, is_own, may_delete, require_owner
from activity.queries.deletion import what_goes
from core.errors import Invalid, NotAllowed


@require_http_methods(["GET", "POST"])
def conversation_rename(request: Any, conversation_id: UUID) -> HttpResponse:
    """Another title."""
    conversation = find_conversation(request.actor, conversation_id)
    require_owner(request.actor, conversation)
    form = TitleForm.of(conversation, request.POST or None)
    back, status = reverse("conversation", args=[conversation.pk]), 422 if form.is_bound else 200
    if request.method == "POST" and form.is_valid():
        try:
            rename_conversation(request.actor, conversation_id=conversation.pk, **form.cleaned_data)
            return done(request, back)
        except Invalid as error:
            status = refused(form, error)
    given = {"title": _("Rename the conversation"), "back": back, "submit": _("Rename")}
    return dialog(request, "form", app="accounts", form=form, status=status, **given)


@require_POST
def conversation_visibility(request: Any, conversation_id: UUID) -> HttpResponse:
    """Share it with the organisation, or take that back."""
    wanted = request.POST.get("visibility", "")
    changed = change_conversation_visibility(request.actor, conversation_id=conversation_id, visibility=wanted)
    if changed.visibility == Visibility.ORGANISATION:
        text = _("Shared: everyone in the organisation who can see the agent can read this conversation now.")
    else:
        text = _("Private again: it is no longer shared with the organisation.")
    messages.success(request, text)
    return redirect("conversation", conversation_id)


@require_http_methods(["GET", "POST"])
def conversation_delete(request: Any, conversation_id: UUID) -> HttpResponse:
    """Say in numbers what goes, and delete."""
    conversation = find_conversation(request.actor, conversation_id)
    if not may_delete(request.actor, conversation):
        raise NotAllowed
    own = is_own(request.actor, conversation)
    if request.method == "POST":
        gone = delete_conversation(request.actor, conversation_id=conversation.pk)
        text = ngettext(
            "The conversation and its %(count)d message are deleted.",
            "The conversation and its %(count)d messages are deleted.",
            gone.messages,
        )
        return done(request, reverse("chat" if own else "home"), text % {"count": gone.messages})
    back = reverse("conversation", args=[conversation.pk])
    given: Any = {"form": DeleteForm(), "submit": _("Delete"), "danger": True, "goes": what_goes(conversation)}
    title = _("Delete the conversation?")
    return dialog(request, "delete_conversation", app="activity", title=title, back=back, **given)
