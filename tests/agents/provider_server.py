"""A real HTTP server that speaks the chat completions API as tests tell it to; nothing of the product knows it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agents.logic.pieces import Assembly

USAGE = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


@dataclass
class Answer:
    """One answer: a status, a body (JSON, or bytes as they are), headers.

    `hangs` never answers, `slow` waits so many seconds before.

    With `events` they are streamed instead, each a piece of JSON or bytes as they are, and `then` the stream is done,
    hangs without a further byte, breaks off, or goes on with comments until the reader is gone.
    """

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    slow: float = 0.0
    events: list[Any] | None = None
    then: str = "done"


def completion(text: str, **more: Any) -> dict[str, Any]:
    """A chat completion that says the text."""
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    kind = {"id": "c1", "object": "chat.completion", "created": 1, "model": "small-1"}
    return {**kind, "choices": [choice], "usage": USAGE}


def piece(text: str | None = None, *, finish: str | None = None, calls: Any = None, **more: Any) -> dict[str, Any]:
    """A chunk of a streamed completion."""
    delta: dict[str, Any] = {} if text is None else {"content": text}
    if calls is not None:
        delta["tool_calls"] = calls
    choice = {"index": 0, "delta": {**delta, **more}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "small-1", "choices": [choice]}


def call_piece(index: int | None, arguments: Any = None, *, name: str | None = None, id: str | None = None) -> Any:  # noqa: A002
    """A piece of a tool call, with what is given."""
    function = {key: value for key, value in {"name": name, "arguments": arguments}.items() if value is not None}
    sent = {"index": index, "id": id, "type": "function" if id else None}
    return {key: value for key, value in sent.items() if value is not None} | {"function": function}


def usage_piece(usage: Any = USAGE) -> dict[str, Any]:
    """The last chunk, which has usage and no choices."""
    return {**piece(), "choices": [], "usage": usage}


def stream(*events: Any, then: str = "done") -> Answer:
    """An answer that comes in these pieces."""
    return Answer(events=list(events), then=then)


def says(text: str, *, usage: Any = USAGE, finish: str = "stop") -> Answer:
    """A streamed text in two pieces, with its usage at the end."""
    half = len(text) // 2
    end = [] if usage is None else [usage_piece(usage)]
    return stream(piece("", role="assistant"), piece(text[:half]), piece(text[half:]), piece(finish=finish), *end)


def wants(*calls: tuple[str, Any], text: str = "", usage: Any = USAGE) -> Answer:
    """A streamed reply that asks for tool calls: names and arguments."""
    asked = [
        call_piece(
            place, arguments if isinstance(arguments, str) else json.dumps(arguments), name=name, id=f"id{place}"
        )
        for place, (name, arguments) in enumerate(calls)
    ]
    end = [] if usage is None else [usage_piece(usage)]
    return stream(piece(text), *[piece(calls=[call]) for call in asked], piece(finish="tool_calls"), *end)


def error(status: int, message: str, **headers: str) -> Answer:
    """A refusal in the provider's shape."""
    return Answer({"error": {"message": message, "type": "some_error"}}, status, headers)


@dataclass
class FakeProvider:
    """Gives its answers in order, the last one again and again, or what its script makes of the request.

    Keeps what it was asked.
    """

    address: str
    answers: list[Answer]
    script: Callable[[dict[str, Any]], Answer] | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[Any] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)  # a reader went before the end of a stream

    def next_answer(self, asked: dict[str, Any]) -> Answer:
        if self.script is not None:
            return self.script(asked)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Handler(BaseHTTPRequestHandler):
    """Answers each request with the provider's next answer."""

    provider: FakeProvider

    def do_POST(self) -> None:
        with self.provider.lock:
            self.provider.under_way += 1
            self.provider.most_at_once = max(self.provider.most_at_once, self.provider.under_way)
        try:
            self.answer()
        finally:
            with self.provider.lock:
                self.provider.under_way -= 1

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.provider.asked.append(json.loads(body))
        self.provider.keys.append(self.headers.get("Authorization") or self.headers.get("api-key") or "")
        self.provider.paths.append(self.path)
        self.provider.headers.append(self.headers)
        answer = self.provider.next_answer(self.provider.asked[-1])
        time.sleep(answer.slow)
        if answer.hangs:
            self.provider.stopped.wait(20)
        elif answer.events is not None and self.provider.asked[-1].get("stream"):
            self.stream(answer)
        elif answer.events is not None:
            self.put_whole(answer)
        else:
            sent = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.begin(answer, "application/json", {"Content-Length": str(len(sent))})
            self.put(sent)

    def begin(self, answer: Answer, kind: str, more: dict[str, str]) -> None:
        self.send_response(answer.status)
        for name, value in {"Content-Type": kind, **answer.headers, **more}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def put_whole(self, answer: Answer) -> None:
        """The same answer to somebody who wants no stream."""
        taken = Assembly()
        for event in answer.events or []:
            taken.add(event)
        calls = {"tool_calls": list(taken.tool_calls())} if taken.tool_calls() else {}
        body = completion(taken.text, **calls)
        body["choices"][0]["finish_reason"] = taken.finish_reason
        body["usage"] = next((event["usage"] for event in answer.events or [] if "usage" in event), None)
        sent = json.dumps(body).encode()
        self.begin(answer, "application/json", {"Content-Length": str(len(sent))})
        self.put(sent)

    def stream(self, answer: Answer) -> None:
        self.begin(answer, "text/event-stream", {"Content-Length": "1000000"} if answer.then == "breaks" else {})
        for event in answer.events or []:
            self.put(event if isinstance(event, bytes) else f"data: {json.dumps(event)}\n\n".encode())
        if answer.then == "done":
            self.put(b"data: [DONE]\n\n")
        elif answer.then == "hangs":
            self.provider.stopped.wait(20)
        elif answer.then == "goes on":
            self.until_the_reader_is_gone()

    def until_the_reader_is_gone(self) -> None:
        try:
            while not self.provider.stopped.is_set():
                self.put(b": still here\n\n")
                time.sleep(0.02)
        except OSError:
            self.provider.left.set()

    def put(self, sent: bytes) -> None:
        self.wfile.write(sent)
        self.wfile.flush()

    def log_message(self, *_args: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def fake_provider(*answers: Answer, script: Callable[[dict[str, Any]], Answer] | None = None) -> Iterator[FakeProvider]:
    """The server answers inside the block."""
    handler = type("HandlerOfOne", (Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    provider = FakeProvider(
        f"http://127.0.0.1:{server.server_port}/v1", list(answers) or [Answer(completion("Hello."))], script
    )
    handler.provider = provider
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield provider
    finally:
        provider.stopped.set()
        server.shutdown()
        server.server_close()
