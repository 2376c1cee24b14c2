"""The chat: whom to talk to and one's conversations, and one conversation with its questions and answers (PL-30)."""

from typing import Any
from uuid import UUID

from django.forms import Form
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.forms.problems import show
from accounts.permissions import Permission
from activity.forms.chat import BeginForm, QuestionForm
from activity.models import Conversation
from activity.operations.conversations import begin_conversation
from activity.operations.running import Answering, answer_in_conversation
from activity.queries.answers import find_message
from activity.queries.conversations import find_conversation, is_own, may_delete, own_conversations, require_owner
from activity.queries.exchanges import exchange_of, exchange_page
from activity.queries.talking import may_answer
from activity.views.showing import exchange_context, reader_context
from activity.views.streaming import stream, wants_lines
from core.errors import DomainError, Invalid, NotAllowed, NotFound, Problem, status_of
from core.limits import LIMITS
from core.pages import respond
from core.paging import Order, keyset_page

LAST_FIRST = [Order("last_at", descending=True), Order("id", descending=True)]


@require_http_methods(["GET", "POST"])
def chat(request: Any) -> HttpResponseBase:
    """One's conversations, and the beginning of a new one with its first question."""
    access.require(request.actor, Permission.AGENTS_RUN)
    form = BeginForm(request.POST or None, actor=request.actor, initial={"agent": request.GET.get("agent", "")})
    if request.method == "POST":
        try:
            asked = _asked(form)
            return _begun(request, begin_conversation(request.actor, agent_id=asked["agent"], text=asked["text"]))
        except DomainError as error:
            return _chat_page(request, form, _refused(request, form, error))
    return _chat_page(request, form, 200)


@require_http_methods(["GET", "POST"])
def conversation(request: Any, conversation_id: UUID) -> HttpResponseBase:
    """One conversation; a POST asks the next question."""
    found = find_conversation(request.actor, conversation_id)
    form = QuestionForm(request.POST or None)
    if request.method == "POST":
        require_owner(request.actor, found)
        try:
            text = _asked(form)["text"]
            return _answered(request, found, answer_in_conversation(request.actor, conversation_id=found.pk, text=text))
        except DomainError as error:
            return _conversation_page(request, found, form, _refused(request, form, error))
    return _conversation_page(request, found, form, 200)


@require_safe
def conversation_answer(request: Any, message_id: UUID) -> HttpResponse:
    """The exchange around one message: what a page asks for while an answer runs, and once it was stopped."""
    message = find_message(request.actor, message_id)
    shown = exchange_of(request.actor, message)
    context = exchange_context(request, message.conversation, shown) | {"is_newest": "newest" in request.GET}
    return _unkept(respond(request, "activity/answer.html", context, part="exchange"))


def _begun(request: Any, answering: Answering) -> HttpResponseBase:
    found = find_conversation(request.actor, answering.run.conversation_id)  # type: ignore[arg-type]
    if not wants_lines(request):
        return _waited_for(found, answering)
    context = _conversation_context(request, found, QuestionForm(), exchanges=False)
    opened = {
        "type": "opened",
        "href": reverse("conversation", args=[found.pk]),
        "title": found.title,
        "html": render_to_string("activity/conversation.html#main", context, request),
    }
    return stream(request, found, answering, opened)


def _answered(request: Any, found: Conversation, answering: Answering) -> HttpResponseBase:
    return stream(request, found, answering) if wants_lines(request) else _waited_for(found, answering)


def _waited_for(found: Conversation, answering: Answering) -> HttpResponse:
    """Without JavaScript the page comes when the answer is there."""
    with answering:
        for _progress in answering:
            pass
    return redirect(f"{reverse('conversation', args=[found.pk])}#exchange-{answering.question.pk}")


def _asked(form: Form) -> dict[str, Any]:
    """What was sent; raises `Invalid` with everything that is wrong."""
    if form.is_valid():
        return form.cleaned_data
    raise Invalid(Problem(name, str(text)) for name, texts in form.errors.items() for text in texts)


def _refused(request: Any, form: Form, error: DomainError) -> int:
    """Show the error above the question, which stays; what the page's script asked for is answered as a message."""
    if wants_lines(request) or isinstance(error, NotFound | NotAllowed):
        raise error
    if not form.errors:
        show(form, error)
    return status_of(error)


def _chat_page(request: Any, form: BeginForm, status: int) -> HttpResponse:
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    cursor = request.GET.get("after") or request.GET.get("before") or ""
    page = keyset_page(own_conversations(request.actor, search=search), LAST_FIRST, cursor=cursor)
    context = {"page": page, "search": search, "form": form, "agents": form.agents}
    return _unkept(respond(request, "activity/chat.html", context, part="table", status=status))


def _conversation_page(request: Any, found: Conversation, form: QuestionForm, status: int) -> HttpResponse:
    context = _conversation_context(request, found, form)
    return _unkept(respond(request, "activity/conversation.html", context, part="earlier", status=status))


def _conversation_context(
    request: Any, found: Conversation, form: QuestionForm, *, exchanges: bool = True
) -> dict[str, Any]:
    before = request.GET.get("before", "")
    place = int(before) if before.isdecimal() and len(before) < 10 else None
    return {
        **reader_context(request, found),
        "page": exchange_page(request.actor, found, before=place) if exchanges else None,
        "form": form,
        "may_ask": is_own(request.actor, found) and may_answer(request.actor, found.agent),
        "may_delete": may_delete(request.actor, found),
    }


def _unkept(response: HttpResponse) -> HttpResponse:
    """No cache keeps what people said (ACC-D21)."""
    response["Cache-Control"] = "no-store"
    return response
