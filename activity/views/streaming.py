"""An answer as it comes: lines of JSON for static/js/activity/stream.js, each with ready HTML where it has any."""

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string

from activity.logic.answers import Exchange
from activity.models import Conversation, Message
from activity.operations.running import Answering, Finished, Progress, Stored
from activity.queries.exchanges import ShownExchange
from activity.views.showing import exchange_context
from agents.loop.events import TextPiece

LINES = "application/x-ndjson"


def wants_lines(request: HttpRequest) -> bool:
    """Whether the page's script asks, and not a form without it."""
    return request.headers.get("Accept") == LINES


def stream(
    request: HttpRequest, conversation: Conversation, answering: Answering, *opening: dict[str, Any]
) -> StreamingHttpResponse:
    """The answer under way; a reader who goes away ends it. `opening` are lines that come before it."""
    response = StreamingHttpResponse(Lines(request, conversation, answering, opening), content_type=LINES)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # proxies hand each line on as it comes
    return response


class Lines(Iterator[bytes]):
    """The lines as bytes. The server closes it when it is done or the reader went, also before the first line."""

    def __init__(
        self, request: HttpRequest, conversation: Conversation, answering: Answering, opening: Iterable[dict[str, Any]]
    ) -> None:
        self._answering = answering
        self._lines = self._shown(Shown(request, conversation, answering), opening)

    def __next__(self) -> bytes:
        return json.dumps(next(self._lines), ensure_ascii=False).encode() + b"\n"

    def close(self) -> None:
        """End the answer, unless it has ended."""
        self._lines.close()
        self._answering.close()

    def _shown(self, shown: "Shown", opening: Iterable[dict[str, Any]]) -> Generator[dict[str, Any], None, None]:
        yield from opening
        yield shown.line("question")
        for progress in self._answering:
            yield shown.next_line(progress)


class Shown:
    """The exchange so far, and what its page is told next."""

    def __init__(self, request: HttpRequest, conversation: Conversation, answering: Answering) -> None:
        self.request, self.conversation = request, conversation
        self.question, self.run = answering.question, answering.run
        self.steps: list[Message] = []

    def next_line(self, progress: Progress) -> dict[str, Any]:
        """The text of a piece; the changed step; the whole exchange at the end; nothing, to notice who went."""
        if isinstance(progress, TextPiece):
            return {"type": "text", "text": progress.text}
        if isinstance(progress, Stored):
            self.steps.append(progress.message)
            return self._step_line(progress.message)
        if isinstance(progress, Finished):
            self.run = progress.run
            return self.line("end") | {"status": self.run.status}
        return {"type": "waiting"}

    def line(self, kind: str) -> dict[str, Any]:
        """The whole exchange as it stands."""
        context = exchange_context(self.request, self.conversation, self._exchange()) | {"streaming": True}
        html = render_to_string("activity/_exchange.html", context, self.request)
        return {"type": kind, "html": html, "said": context["shown"].text}

    def _exchange(self) -> ShownExchange:
        for message in (self.question, *self.steps):
            message.run = self.run
        return ShownExchange(Exchange(self.question, self.steps))

    def _step_line(self, message: Message) -> dict[str, Any]:
        """The step that was stored; for a tool's result the step that asked for it."""
        steps = self._exchange().steps
        step = next(one for one in steps if one.step is message or any(call.answer is message for call in one.calls))
        html = render_to_string("activity/_step.html", {"shown_step": step, "running": True}, self.request)
        return {"type": "step", "id": f"step-{step.step.pk}", "html": html}
