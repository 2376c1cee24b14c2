"""A real HTTP server that speaks the chat completions API as tests tell it to; nothing of the product knows it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


@dataclass
class Answer:
    """One answer: a status, a body (JSON, or bytes as they are), headers; `hangs` never answers."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False


def completion(text: str, **more: Any) -> dict[str, Any]:
    """A chat completion that says the text."""
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    kind = {"id": "c1", "object": "chat.completion", "created": 1, "model": "small-1"}
    return {**kind, "choices": [choice], "usage": USAGE}


def error(status: int, message: str, **headers: str) -> Answer:
    """A refusal in the provider's shape."""
    return Answer({"error": {"message": message, "type": "some_error"}}, status, headers)


@dataclass
class FakeProvider:
    """Gives its answers in order, the last one again and again; keeps what it was asked."""

    address: str
    answers: list[Answer]
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def fake_provider(*answers: Answer) -> Iterator[FakeProvider]:
    """The server answers inside the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            provider.asked.append(json.loads(body))
            provider.keys.append(self.headers.get("Authorization") or self.headers.get("api-key") or "")
            provider.paths.append(self.path)
            answer = provider.next_answer()
            if answer.hangs:
                provider.stopped.wait(20)
                return
            sent = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_args: Any) -> None:
            """Nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = FakeProvider(
        f"http://127.0.0.1:{server.server_port}/v1", list(answers) or [Answer(completion("Hello."))]
    )
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield provider
    finally:
        provider.stopped.set()
        server.shutdown()
        server.server_close()
