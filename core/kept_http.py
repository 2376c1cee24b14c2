"""An HTTP client for a library that makes requests of its own: guarded as `core.http.Call` is, connections kept open.

It speaks HTTP/1.1 over asyncio and nothing else: no redirect is followed, no cookie kept, no proxy or credential taken
from the environment, no compression asked for, so that the limit of a reply's size holds what is read. Many small calls
are its purpose: what httpx2 and httpcore2 do around each costs more than the call. Whoever calls bounds the time.
"""

import asyncio
import re
import ssl
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import httpx2

from core.addresses import Resolver, resolve
from core.http import PIECE, addresses_of, tls_context
from core.limits import LIMITS

# How long a connection that nobody uses stays open for the next call.
KEPT_SECONDS = 15.0
HEAD_BYTES = 64 * 1024
STATUS_LINE = re.compile(rb"HTTP/1\.([01]) ([1-9]\d\d)(?: .*)?")
NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
DIGITS, HEX_DIGITS = re.compile(rb"\d{1,15}"), re.compile(rb"[0-9A-Fa-f]{1,8}")
LINE_ENDS = re.compile(rb"[\r\n\x00]")
WITHOUT_BODY = (204, 304)
Origin = tuple[str, str, int]


class _Faulty(Exception):
    """What came is no HTTP, or not the whole of it."""


@dataclass
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used_at: float = 0.0

    @property
    def is_usable(self) -> bool:
        fresh = time.monotonic() - self.used_at < KEPT_SECONDS
        # Whatever came while nobody had asked, an end or more, is no part of the next reply.
        return fresh and not self.reader.at_eof() and not self.writer.transport.is_closing() and not self._has_more

    @property
    def _has_more(self) -> bool:
        return bool(self.reader._buffer)  # type: ignore[attr-defined]

    def close(self) -> None:
        self.writer.close()


@dataclass(frozen=True)
class _Head:
    """The beginning of a reply; `length` is None for a body in chunks, and -1 for one until the connection ends."""

    status: int
    headers: list[tuple[bytes, bytes]]
    length: int | None
    stays_open: bool


@dataclass
class Connections(httpx2.AsyncBaseTransport):
    """Those that are open and unused, by scheme, host and port."""

    resolver: Resolver = resolve
    free: dict[Origin, list[_Connection]] = field(default_factory=lambda: defaultdict(list))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The reply, its body still to be read. Raises errors of httpx2, and `AddressRefused`."""
        body = await self.answered(request)
        return httpx2.Response(body.head.status, headers=body.head.headers, stream=body, request=request)

    async def answered(self, request: httpx2.Request) -> "_Body":
        """The same without an object of httpx2 around it."""
        return await self.exchanged(request, _origin(request), _written(request) + await request.aread())

    async def exchanged(self, request: httpx2.Request, origin: Origin, sent: bytes) -> "_Body":
        """Send these bytes; `request` is what errors name."""
        connection = await self._connection(origin, request)
        try:
            connection.writer.write(sent)
            await connection.writer.drain()
            head = await _read_head(connection.reader)
        except BaseException as error:
            connection.close()
            if isinstance(error, OSError | asyncio.IncompleteReadError | asyncio.LimitOverrunError | _Faulty):
                raise httpx2.RemoteProtocolError(_words(error), request=request) from None
            raise
        return _Body(self, origin, connection, head, request)

    async def aclose(self) -> None:
        """Close what is open and unused."""
        for connections in self.free.values():
            for connection in connections:
                connection.close()
        self.free.clear()

    def give_back(self, origin: Origin, connection: _Connection) -> None:
        connection.used_at = time.monotonic()
        self.free[origin].append(connection)

    async def _connection(self, origin: Origin, request: httpx2.Request) -> _Connection:
        free = self.free[origin]
        while free:
            connection = free.pop()
            if connection.is_usable:
                return connection
            connection.close()
        try:
            return await self._opened(*origin)
        except (OSError, ssl.SSLError, UnicodeError) as error:
            raise httpx2.ConnectError(str(error), request=request) from None

    async def _opened(self, scheme: str, host: str, port: int) -> _Connection:
        failure: OSError = OSError(host)
        secured: dict[str, Any] = {"ssl": tls_context(), "server_hostname": host} if scheme == "https" else {}
        for address in await addresses_of(host, port, self.resolver):
            try:
                reader, writer = await asyncio.open_connection(address, port, limit=HEAD_BYTES, **secured)
            except OSError as error:
                failure = error
            else:
                return _Connection(reader, writer)
        raise failure


@dataclass
class _Body(httpx2.AsyncByteStream):
    """A body as it comes; the connection is kept once it is whole, and closed where it is left before."""

    connections: Connections
    origin: Origin
    connection: _Connection
    head: _Head
    request: httpx2.Request
    is_done: bool = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for piece in _pieces(self.connection.reader, self.head.length):
                size += len(piece)
                if size > LIMITS.outgoing_bytes:
                    raise _Faulty("the reply is larger than allowed")
                yield piece
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, _Faulty) as error:
            raise httpx2.ReadError(_words(error), request=self.request) from None
        self.is_done = True
        if self.head.stays_open:
            self.connections.give_back(self.origin, self.connection)
        else:
            self.connection.close()

    async def whole(self) -> bytes:
        """All of it, and the end."""
        try:
            return b"".join([piece async for piece in self])
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        if not self.is_done:
            self.is_done = True
            self.connection.close()


@dataclass(frozen=True)
class Repeatable:
    """A request that is sent many times, each time with a body and with some headers of its own.

    `beginning` is its head up to those.
    """

    request: httpx2.Request
    origin: Origin
    beginning: bytes

    @classmethod
    def of(cls, request: httpx2.Request, *, without: Collection[str]) -> "Repeatable":
        """Like this one, which was sent before; `without` are the names of the headers that each gets anew."""
        again = httpx2.Request(request.method, request.url, headers=request.headers)
        for name in ("Content-Length", *without):
            again.headers.pop(name, None)
        return cls(again, _origin(again), _written(again).removesuffix(b"\r\n"))

    def filled(self, headers: Mapping[str, str], content: bytes) -> bytes:
        """What is sent."""
        own = [_line(name.encode("ascii"), value.encode("latin-1"), self.request) for name, value in headers.items()]
        return b"%b%b\r\n\r\n%b" % (
            self.beginning, b"\r\n".join([*own, b"Content-Length: %d" % len(content)]), content,
        )  # fmt: skip


class KeptClient(httpx2.AsyncClient):
    """Sends over kept connections, without what httpx2 does for cookies, redirects, hooks and credentials."""

    def __init__(self, *, resolver: Resolver = resolve) -> None:
        self._connections = Connections(resolver)
        plain = {"Accept-Encoding": "identity"}
        super().__init__(transport=self._connections, headers=plain, trust_env=False, timeout=None)

    def build_request(self, method: str, url: Any, *, content: Any = None, headers: Any = None, **more: Any) -> Any:
        """The request as the library wants it; in the usual form without the turns that httpx2 takes for every form."""
        usual = isinstance(content, bytes) and isinstance(headers, list)
        if not usual or any(value for name, value in more.items() if name != "timeout"):
            return super().build_request(method, url, content=content, headers=headers, **more)
        address = _url(str(url))
        own = [("Host", address.netloc.decode()), *headers, ("Accept-Encoding", "identity")]
        own.append(("Content-Length", str(len(content))))
        return httpx2.Request(method, address, headers=own, stream=httpx2.ByteStream(content))

    async def send(self, request: httpx2.Request, *, stream: bool = False, **_more: Any) -> httpx2.Response:
        """The reply; with its body unless it is to be streamed."""
        if stream:
            return await self._connections.handle_async_request(request)
        body = await self._connections.answered(request)
        content = await body.whole()
        return httpx2.Response(body.head.status, headers=body.head.headers, content=content, request=request)

    async def repeat(self, like: Repeatable, headers: Mapping[str, str], content: bytes) -> bytes:
        """The body of the reply to one more of these. Raises `httpx2.HTTPStatusError` for one that is no success."""
        body = await self._connections.exchanged(like.request, like.origin, like.filled(headers, content))
        answered = await body.whole()
        if not 200 <= body.head.status < 300:
            reply = httpx2.Response(body.head.status, headers=body.head.headers, content=answered, request=like.request)
            raise httpx2.HTTPStatusError(f"status {reply.status_code}", request=like.request, response=reply)
        return answered


@lru_cache(maxsize=256)
def _url(url: str) -> httpx2.URL:
    return httpx2.URL(url)


def _origin(request: httpx2.Request) -> Origin:
    url = request.url
    if url.scheme not in ("http", "https") or not url.host:
        raise httpx2.UnsupportedProtocol("only http and https", request=request)
    return url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80)


def _written(request: httpx2.Request) -> bytes:
    """The head of a request. No value may begin a line of its own."""
    first = b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)
    lines = [first, *(_line(name, value, request) for name, value in request.headers.raw)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _line(name: bytes, value: bytes, request: httpx2.Request) -> bytes:
    if LINE_ENDS.search(name) or LINE_ENDS.search(value):
        raise httpx2.LocalProtocolError("a header holds the end of a line", request=request)
    return b"%b: %b" % (name, value)


async def _read_head(reader: asyncio.StreamReader) -> _Head:
    """The head of the reply, those that only announce it left out."""
    while True:
        lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
        found = STATUS_LINE.fullmatch(lines[0])
        if found is None:
            raise _Faulty("no status line")
        status = int(found[2])
        if status >= 200:
            return _head(status, found[1] == b"1", [_header(line) for line in lines[1:]])


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _colon, value = line.partition(b":")
    if not _colon or not NAME.fullmatch(name):
        raise _Faulty("no header")
    return name, value.strip(b" \t")


def _head(status: int, is_newer: bool, headers: list[tuple[bytes, bytes]]) -> _Head:
    told: dict[bytes, list[bytes]] = defaultdict(list)
    for name, value in headers:
        told[name.lower()].append(value.lower())
    if told[b"content-encoding"] not in ([], [b"identity"]):
        raise _Faulty("compressed though asked not to be")
    length = _length(status, told)
    said = b",".join(told[b"connection"])
    stays_open = b"close" not in said and (is_newer or b"keep-alive" in said) and length != -1
    return _Head(status, headers, length, stays_open)


def _length(status: int, told: dict[bytes, list[bytes]]) -> int | None:
    if status in WITHOUT_BODY:
        return 0
    if told[b"transfer-encoding"]:
        if told[b"transfer-encoding"] != [b"chunked"]:
            raise _Faulty("an unknown transfer encoding")
        return None
    lengths = set(told[b"content-length"])
    if not lengths:
        return -1
    only = lengths.pop()
    if lengths or not DIGITS.fullmatch(only):
        raise _Faulty("no length")
    return int(only)


async def _pieces(reader: asyncio.StreamReader, length: int | None) -> AsyncGenerator[bytes, None]:
    if length is None:
        while size := await _chunk_size(reader):
            async for piece in _pieces(reader, size):
                yield piece
            if await reader.readexactly(2) != b"\r\n":
                raise _Faulty("a chunk has no end")
        while await reader.readuntil(b"\r\n") != b"\r\n":
            pass  # what follows the last chunk says nothing here
    elif length < 0:
        while piece := await reader.read(PIECE):
            yield piece
    else:
        while length:
            piece = await reader.read(min(length, PIECE))
            if not piece:
                raise _Faulty("the reply is not whole")
            length -= len(piece)
            yield piece


async def _chunk_size(reader: asyncio.StreamReader) -> int:
    size = (await reader.readuntil(b"\r\n"))[:-2].split(b";", 1)[0].strip()
    if not HEX_DIGITS.fullmatch(size):
        raise _Faulty("a chunk has no size")
    return int(size, 16)


def _words(error: BaseException) -> str:
    if isinstance(error, asyncio.IncompleteReadError):
        return "the connection ended before the reply"
    return str(error) or type(error).__name__
