"""The Preview of the Markdown editor: the same renderer that pages use, so that nobody is surprised."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from core.errors import TooLarge
from core.html import MOST_CHARACTERS, render_markdown


@require_POST
def markdown_preview(request: HttpRequest) -> HttpResponse:
    """The HTML of `text`; raises `TooLarge` for more than the renderer takes. Nothing is stored."""
    text = request.POST.get("text", "")
    if len(text) > MOST_CHARACTERS:
        raise TooLarge
    return HttpResponse(f'<div class="markdown">{render_markdown(text)}</div>', headers={"Cache-Control": "no-store"})
