"""Outgoing calls over real sockets: what is refused, what ends them, what comes back (PL-26)."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from pytest_django import Settings

from core.http import Call, OutgoingError, Reason, Reply
from core.loops import run_coroutine

Answer = Callable[[socket.socket], None]
Send = Callable[[Call], Reply]


@contextmanager
def server(answer: Answer) -> Iterator[tuple[int, list[bytes]]]:
    """A TCP server on loopback that reads one request a connection and answers with `answer`; its port and requests."""
    requests: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                requests.append(connection.recv(65536))
                with suppress(OSError):  # the client may hang up first, as some tests want
                    answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], requests
    finally:
        listener.close()


def says(reply: bytes) -> Answer:
    return lambda connection: connection.sendall(reply)


def drips(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(100):
        connection.sendall(b"x")
        time.sleep(0.05)


@pytest.fixture(params=["sync", "async"])
def send(request: pytest.FixtureRequest) -> Send:
    """Both ways of making a call: each test runs through each."""
    return Call.send if request.param == "sync" else lambda call: run_coroutine(call.send_async())


@pytest.fixture
def allowed(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("agent.internal", "127.0.0.1")


def to_loopback(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def refusal(send: Send, call: Call) -> OutgoingError:
    with pytest.raises(OutgoingError) as caught:
        send(call)
    return caught.value


@pytest.mark.spec("PL-26")
def test_a_host_allowed_by_name_is_called(send: Send, allowed: None) -> None:
    with server(says(b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX-Seen: yes\r\n\r\nhello")) as (port, requests):
        call = Call("POST", f"http://agent.internal:{port}/ask", {"X-Key": "k"}, b"{}", resolver=to_loopback)
        reply = send(call)
    assert (reply.status, reply.body, reply.headers["X-Seen"]) == (201, b"hello", "yes")
    assert requests[0].startswith(b"POST /ask HTTP/1.1\r\n")
    assert b"Host: agent.internal" in requests[0]
    assert b"X-Key: k" in requests[0]


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "127.1"])
def test_loopback_in_any_spelling_is_refused_without_a_connection(send: Send, host: str) -> None:
    with server(says(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as (port, requests):
        error = refusal(send, Call("GET", f"http://{host}:{port}/", seconds=5))
    assert error.reason in (Reason.REFUSED, Reason.UNREACHABLE)
    assert requests == []


@pytest.mark.spec("PL-26")
def test_the_refusal_says_that_trying_again_is_no_use_and_hides_the_path(send: Send) -> None:
    error = refusal(send, Call("GET", "http://agent.internal/secret-path?token=t0k3n", resolver=to_loopback))
    assert error.reason is Reason.REFUSED
    assert not error.worth_retrying
    assert "agent.internal" in str(error)
    assert "secret" not in str(error)
    assert "t0k3n" not in str(error)


@pytest.mark.spec("PL-26")
def test_a_name_that_changes_its_answer_is_asked_once_and_judged_by_the_address_used(send: Send) -> None:
    answers = iter([["8.8.8.8", "127.0.0.1"], ["127.0.0.1"]])
    asked: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return next(answers)

    with server(says(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as (port, requests):
        error = refusal(send, Call("GET", f"http://rebind.example:{port}/", resolver=rebinding))
    assert error.reason is Reason.REFUSED
    assert asked == ["rebind.example"]
    assert requests == []


@pytest.mark.spec("PL-26")
def test_a_redirect_is_a_reply_and_is_not_followed(send: Send, allowed: None) -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n"
    with server(says(moved)) as (port, requests):
        reply = send(Call("GET", f"http://127.0.0.1:{port}/"))
    assert reply.status == 302
    assert len(requests) == 1


@pytest.mark.spec("PL-26")
def test_a_proxy_of_the_environment_is_not_used(send: Send, allowed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with server(says(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) as (port, _requests):
        assert send(Call("GET", f"http://127.0.0.1:{port}/")).body == b"ok"


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("announced", [b"Content-Length: 5000\r\n", b"Connection: close\r\n"])
def test_a_body_over_the_limit_ends_the_call_whatever_it_announces(send: Send, allowed: None, announced: bytes) -> None:
    with server(says(b"HTTP/1.1 200 OK\r\n" + announced + b"\r\n" + b"x" * 5000)) as (port, _requests):
        error = refusal(send, Call("GET", f"http://127.0.0.1:{port}/", max_bytes=1000))
    assert error.reason is Reason.TOO_LARGE
    assert not error.worth_retrying


@pytest.mark.spec("PL-26")
def test_a_compressed_body_is_not_unpacked(send: Send, allowed: None) -> None:
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
    with server(says(packed)) as (port, requests):
        assert refusal(send, Call("GET", f"http://127.0.0.1:{port}/")).reason is Reason.BROKEN
    assert b"accept-encoding: identity" in requests[0].lower()


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("answer", [drips, lambda connection: time.sleep(5)], ids=["drips", "never answers"])
def test_the_time_limit_holds_for_the_whole_call(send: Send, allowed: None, answer: Answer) -> None:
    with server(answer) as (port, _requests):
        started = time.monotonic()
        error = refusal(send, Call("GET", f"http://127.0.0.1:{port}/", seconds=0.4))
    assert time.monotonic() - started < 2
    assert error.reason is Reason.TIMED_OUT
    assert error.worth_retrying


@pytest.mark.spec("PL-26")
def test_a_resolver_that_hangs_counts_as_time(send: Send) -> None:
    started = time.monotonic()
    slow = Call("GET", "http://slow.example/", seconds=0.3, resolver=lambda host, port: time.sleep(1) or [])
    assert refusal(send, slow).reason is Reason.TIMED_OUT
    assert time.monotonic() - started < 2


@pytest.mark.spec("PL-26")
def test_a_closed_port_and_an_unknown_name_are_unreachable(send: Send, allowed: None) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = refusal(send, Call("GET", f"http://127.0.0.1:{unused.getsockname()[1]}/"))

    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror("no such host")

    nowhere = refusal(send, Call("GET", "http://nowhere.example/", resolver=unknown))
    assert (closed.reason, nowhere.reason) == (Reason.UNREACHABLE, Reason.UNREACHABLE)
    assert closed.worth_retrying


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize("answer", [says(b""), says(b"SSH-2.0-server\r\n")], ids=["hangs up", "speaks no HTTP"])
def test_what_is_no_web_server_is_broken(send: Send, allowed: None, answer: Answer) -> None:
    with server(answer) as (port, _requests):
        assert refusal(send, Call("GET", f"http://127.0.0.1:{port}/")).reason is Reason.BROKEN


@pytest.mark.spec("PL-26")
def test_tls_is_spoken_and_a_server_without_it_is_unreachable(send: Send, allowed: None) -> None:
    with server(says(b"HTTP/1.1 200 OK\r\n\r\n")) as (port, requests):
        error = refusal(send, Call("GET", f"https://127.0.0.1:{port}/", seconds=5))
    assert error.reason is Reason.UNREACHABLE
    assert requests[0][:1] == b"\x16"  # a TLS handshake


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize(
    "url",
    ["ftp://example.org/", "file:///etc/passwd", "example.org", "http://", "http://u:p@example.org/", "http://a:b/"],
)
def test_other_schemes_and_addresses_with_credentials_are_refused(send: Send, url: str) -> None:
    assert refusal(send, Call("GET", url)).reason is Reason.REFUSED
