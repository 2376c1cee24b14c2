"""Kept connections over real sockets: what is kept, what ends a call, what is refused (PL-26)."""

import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
import httpx2
import pytest

from core.addresses import AddressRefused
from core.kept_http import KeptClient, Repeatable
from core.limits import LIMITS
from core.loops import run_coroutine

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@contextmanager
def server(*replies: bytes, closes: bool = False) -> Iterator[tuple[str, list[int], list[bytes]]]:
    """Gives the replies in order, whoever asks; its address, the number of each asking connection, and the requests."""
    listener, asked, requests, waiting = socket.create_server(("127.0.0.1", 0)), [], [], list(replies)

    def serve(connection: socket.socket, number: int) -> None:
        with connection, suppress(OSError):
            while data := connection.recv(65536):
                asked.append(number)
                requests.append(data)
                connection.sendall(waiting.pop(0))
                if closes:
                    return

    def accept() -> None:
        number = 0
        with suppress(OSError):
            while True:
                connection = listener.accept()[0]
                number += 1
                threading.Thread(target=serve, args=(connection, number), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/ask", asked, requests
    finally:
        listener.close()


def with_client(act: Callable[[KeptClient], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        async with KeptClient() as client:
            return await act(client)

    return run_coroutine(whole())


def posted(address: str, times: int = 1) -> list[bytes]:
    """What so many calls of one client, one after the other, brought."""

    async def act(client: KeptClient) -> list[bytes]:
        return [(await client.post(address, content=b"{}", headers=[])).content for _ in range(times)]

    return with_client(act)


def test_calls_of_one_client_share_a_connection() -> None:
    with server(OK, OK, OK) as (address, asked, requests):
        assert posted(address, 3) == [b"ok"] * 3
    assert asked == [1, 1, 1]
    assert requests[0].startswith(b"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:")
    assert requests[0].endswith(b"Content-Length: 2\r\n\r\n{}")


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        OK + b"more",
    ],
)
def test_a_connection_that_is_not_to_be_kept_is_not(reply: bytes) -> None:
    with server(reply, OK) as (address, asked, _requests):
        assert posted(address, 2) == [b"ok", b"ok"]
    assert asked == [1, 2]


def test_a_connection_that_the_other_side_closed_is_not_used_again() -> None:
    with server(OK, OK, closes=True) as (address, asked, _requests):

        async def act(client: KeptClient) -> None:
            for _ in range(2):
                await client.post(address, content=b"{}", headers=[])
                await anyio.sleep(0.05)

        with_client(act)
    assert asked == [1, 2]


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n2\r\nde\r\n0\r\nX: 1\r\n\r\n",
            b"abcde",
        ),
        (b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + OK, b"ok"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
)
def test_a_body_is_read_in_each_form_that_it_may_have(reply: bytes, body: bytes) -> None:
    with server(reply, OK) as (address, asked, _requests):
        assert posted(address, 2) == [body, b"ok"]
    assert asked == [1, 1]


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    with server(b"HTTP/1.1 200 OK\r\n\r\nto the end", closes=True) as (address, _asked, _requests):
        assert posted(address) == [b"to the end"]


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nNo colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n folded: x\r\n\r\n",
        b"SSH-2.0-OpenSSH_9\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n",
    ],
)
def test_what_is_no_whole_reply_ends_the_call(reply: bytes) -> None:
    with server(reply, closes=True) as (address, _asked, _requests), pytest.raises(httpx2.TransportError):
        posted(address)


@pytest.mark.spec("PL-26")
def test_a_body_over_the_limit_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.kept_http.LIMITS", replace(LIMITS, outgoing_bytes=1))
    with server(OK) as (address, _asked, _requests), pytest.raises(httpx2.ReadError, match="larger"):
        posted(address)


@pytest.mark.spec("PL-26")
def test_a_private_address_is_not_connected_to(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ()
    with server(OK) as (address, asked, _requests), pytest.raises(AddressRefused):
        posted(address)
    assert asked == []


@pytest.mark.spec("PL-26")
def test_no_redirect_is_followed() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
    with server(moved) as (address, asked, _requests):
        assert posted(address) == [b""]
    assert asked == [1]


@pytest.mark.spec("PL-26")
def test_no_header_begins_a_line_of_its_own() -> None:
    with server(OK) as (address, asked, _requests):

        async def act(client: KeptClient) -> None:
            await client.post(address, content=b"{}", headers=[("X-Key", "a\r\nX-More: b")])

        with pytest.raises(httpx2.LocalProtocolError):
            with_client(act)
    assert asked == []


def test_a_stream_that_is_left_closes_its_connection() -> None:
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning"
    with server(half, OK) as (address, asked, _requests):

        async def act(client: KeptClient) -> bytes:
            async with client.stream("POST", address, content=b"{}") as response:
                async for _piece in response.aiter_raw():
                    break
            return (await client.post(address, content=b"{}", headers=[])).content

        assert with_client(act) == b"ok"
    assert asked == [1, 2]


def test_a_request_is_repeated_with_headers_and_a_body_of_its_own() -> None:
    with server(OK, OK, b"HTTP/1.1 429 Slow\r\nContent-Length: 4\r\n\r\nwait") as (address, asked, requests):

        async def act(client: KeptClient) -> bytes:
            first = await client.post(address, content=b"{}", headers=[("Token", "abc"), ("Key", "1")])
            like = Repeatable.of(first.request, without=["Key"])
            again = await client.repeat(like, {"Key": "2"}, b"[1, 2]")
            with pytest.raises(httpx2.LocalProtocolError):
                await client.repeat(like, {"Key": "3\r\nToken: other"}, b"")
            with pytest.raises(httpx2.HTTPStatusError) as refused:
                await client.repeat(like, {}, b"")
            assert (refused.value.response.status_code, refused.value.response.text) == (429, "wait")
            return again

        assert with_client(act) == b"ok"
    assert asked == [1, 1, 1]
    head, body = requests[1].split(b"\r\n\r\n")
    assert body == b"[1, 2]"
    assert {b"Content-Length: 6", requests[0].split(b"\r\n")[1], b"Key: 2", b"Token: abc"} < set(head.split(b"\r\n"))
    assert head.count(b"Key:") == head.count(b"Content-Length:") == 1
