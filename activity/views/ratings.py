"""Rating an answer: the thumbs, the dialog that asks what went wrong, and what is done besides (DS-142 to DS-151)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.views.answers import refused
from activity.forms.chat import RatingForm
from activity.models import Message, RunRating
from activity.operations.ratings import rate_answer, withdraw_rating
from activity.places import Told, companions_for
from activity.queries.answers import find_message
from activity.queries.conversations import require_owner
from activity.queries.exchanges import exchange_of
from activity.views.showing import exchange_context
from core.errors import DomainError, Invalid
from core.pages import Event, announce, respond

KINDS = {"pass": messages.SUCCESS, "fail": messages.ERROR, "info": messages.INFO}


@require_http_methods(["GET", "POST"])
def answer_rating(request: Any, message_id: UUID) -> HttpResponse:
    """The dialog of a thumb down; a POST stores a thumb, or takes it back where it is empty."""
    message = find_message(request.actor, message_id)
    require_owner(request.actor, message.conversation)
    form = RatingForm(request.POST or None, initial={"rating": RunRating.DOWN})
    if request.method == "POST" and form.is_valid() and _is_complete(request, message):
        try:
            told = _rated(request, message, form.cleaned_data)
        except Invalid as error:
            return _dialog(request, message, form, refused(form, error))
        return _shown(request, message, form.cleaned_data["rating"], told)
    return _dialog(request, message, form, 422 if form.is_bound else 200)


def _is_complete(request: Any, message: Message) -> bool:
    """Whether nothing is missing of what was asked besides: it is asked for before the rating is stored."""
    return all(companion.again(request, message).is_complete for companion in companions_for(request.actor))


def _rated(request: Any, message: Message, given: dict[str, str]) -> list[Told]:
    """Store the rating; then, in writes of their own, what later apps were asked for (DS-148, DS-149)."""
    if not given["rating"]:
        withdraw_rating(request.actor, message_id=message.pk)
        return []
    stored = rate_answer(request.actor, message_id=message.pk, rating=given["rating"], comment=given["comment"])
    told = [_after(request, companion, stored.message) for companion in companions_for(request.actor)]
    done = [one for one in told if one]
    return done or ([Told(_("Your rating is stored."), "pass")] if given["rating"] == RunRating.DOWN else [])


def _after(request: Any, companion: Any, message: Message) -> Told | None:
    try:
        return companion.after(request.actor, message, request.POST.dict())
    except DomainError as error:
        text = _("Your rating is stored. What was asked besides failed: %(reason)s") % {"reason": error}
        return Told(text, "fail")


def _shown(request: Any, message: Message, rating: str, told: list[Told]) -> HttpResponse:
    """The answer's foot as it is now; the dialog closes, and what was done besides is said (DS-150)."""
    if request.headers.get("HX-Request") != "true":
        for one in told:
            messages.add_message(request, KINDS.get(one.kind, messages.INFO), one.text)
        return redirect(f"{reverse('conversation', args=[message.conversation_id])}#rating-{message.pk}")
    context = exchange_context(request, message.conversation, exchange_of(request.actor, message))
    response = render(request, "activity/_rating.html", context | {"just_rated": "" if told else rating})
    response["HX-Retarget"], response["HX-Reswap"] = f"#rating-{context['shown'].last.pk}", "outerHTML"
    if told:
        worst = next((one.kind for one in told if one.kind == "fail"), told[0].kind)
        announce(response, Event.MESSAGE_SHOWN, {"text": " ".join(one.text for one in told), "kind": worst})
    return announce(response, Event.DIALOG_CLOSED)


def _dialog(request: Any, message: Message, form: RatingForm, status: int) -> HttpResponse:
    back = reverse("conversation", args=[message.conversation_id])
    is_sent = request.method == "POST"
    asked = [(one, one.again(request, message).html if is_sent else "") for one in companions_for(request.actor)]
    context = {"message": message, "form": form, "back": back, "asked": asked}
    response = respond(request, "activity/rating.html", context, part="dialog", status=status)
    response["Cache-Control"] = "no-store"
    return response
