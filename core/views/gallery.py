"""The component gallery at /ui/, in development only: every component in every state, with words of a real dataset."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from core.gallery_samples import CASES, MARKDOWN, NEW_ANSWER, OLD_ANSWER, SECTIONS, TAGS, Case
from core.pages import Event, announce


class SampleForm(forms.Form):
    """A field of each kind."""

    name = forms.CharField(label="Name", max_length=120, help_text="What people call it. At most 120 characters.")
    agent = forms.ChoiceField(label="Agent", choices=[("", "No agent"), ("support", "Support"), ("billing", "Billing")])
    tags = forms.MultipleChoiceField(label="Tags", choices=[(tag, tag) for tag in TAGS], required=False)
    visibility = forms.ChoiceField(
        label="Visible to",
        widget=forms.RadioSelect,
        choices=[("organisation", "Everybody in the organisation"), ("private", "Only those it is shared with")],
    )
    instructions = forms.CharField(label="Instructions", widget=forms.Textarea, required=False)
    notify = forms.BooleanField(label="Write to me when the test run ends", required=False)


class CaseForm(forms.Form):
    """The demonstration of the unsaved-change guard; saves nothing."""

    question = forms.CharField(label="Question", widget=forms.Textarea(attrs={"rows": 3}))
    answer = forms.CharField(label="Reference answer", widget=forms.Textarea(attrs={"rows": 3}), required=False)


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Every component; `?case=` opens the side panel."""
    return render(request, "gallery/gallery.html", _context(request))


def _context(request: HttpRequest) -> dict[str, Any]:
    theme = request.GET.get("theme", "system")
    now = timezone.now()
    wrong = SampleForm({"name": "", "visibility": "organisation"}, auto_id="wrong_%s")
    return {
        "theme": theme if theme in ("light", "dark") else "system",
        "sections": SECTIONS,
        "tags": TAGS,
        "cases": CASES,
        "open": _case(request.GET.get("case", "")),
        "panel_row": request.GET.get("case", ""),
        "form": SampleForm(auto_id="sample_%s"),
        "wrong": wrong,
        "case_form": CaseForm(auto_id="case_%s", initial={"question": CASES[0].question, "answer": CASES[0].answer}),
        "version": request.GET.get("version", "12"),
        "page": Paginator(range(240), 20).get_page(request.GET.get("page", 3)),
        "moments": [now - timedelta(minutes=4), now - timedelta(days=2), now - timedelta(days=400), None],
        "markdown_text": MARKDOWN,
        "old_answer": OLD_ANSWER,
        "new_answer": NEW_ANSWER,
        "meanings": ["pass", "fail", "unscored", "info", "generated"],
        "close_href": request.path,
        "organisation": SimpleNamespace(name="Kettle & Co"),
    }


def _case(wanted: str) -> Case | None:
    return next((case for case in CASES if case.id == wanted), None)


@require_safe
def panel(request: HttpRequest, case_id: str) -> HttpResponse:
    """The side panel of a sample case."""
    context = {"open": _case(case_id), "panel_row": case_id, "close_href": request.GET.get("from", "/ui/")}
    return render(request, "gallery/panel.html", context)


@require_http_methods(["GET", "POST"])
def demonstration(request: HttpRequest) -> HttpResponse:
    """The form of the unsaved-change guard: 422 in place without a question, else "Saved as version 13"."""
    form = CaseForm(request.POST or None, auto_id="case_%s")
    if request.method == "POST" and form.is_valid():
        saved = announce(HttpResponse(status=204), Event.FORM_SAVED)
        return announce(saved, Event.MESSAGE_SHOWN, {"text": "Saved as version 13", "kind": "pass"})
    context = {"case_form": form, "version": request.GET.get("version", "12")}
    return render(request, "gallery/_case_form.html", context, status=422 if form.is_bound else 200)


@require_safe
def elsewhere(request: HttpRequest) -> HttpResponse:
    """A second page, so that leaving can be tried."""
    return render(request, "gallery/elsewhere.html")


@require_safe
def refused(request: HttpRequest) -> HttpResponse:
    """An error as a part, to see the message it becomes."""
    context = {"title": "This cannot be done", "message": "The dataset has a newer version.", "lines": []}
    return render(request, "errors/part.html", context, status=409)
