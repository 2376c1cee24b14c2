"""The one way out to addresses that users name: guarded HTTP calls, sync and async (PL-26).

Judged is the address actually connected to: the host is resolved once, every address is checked and the connection
goes to a checked one, so a name that changes its answer in between gains nothing. No redirect is followed, no proxy
or credential is taken from the environment, and time and size are limited as a whole.
"""

import ssl
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from threading import Thread
from typing import Any

import anyio
import anyio.to_thread
import httpcore2
import httpx2
from django.conf import settings
from django.utils.translation import gettext as _

from core.addresses import AddressRefused, Resolver, checked, resolve
from core.limits import LIMITS

PIECE = 64 * 1024


class Reason(StrEnum):
    """Why an outgoing call gave no reply."""

    REFUSED = "refused"  # we do not call such an address
    UNREACHABLE = "unreachable"  # no such host, no connection, no valid certificate
    TIMED_OUT = "timed_out"
    BROKEN = "broken"  # the connection ended or spoke no HTTP
    TOO_LARGE = "too_large"


RETRY_HELPS = {Reason.UNREACHABLE, Reason.TIMED_OUT, Reason.BROKEN}


class OutgoingError(Exception):
    """The call gave no reply. `str()` is a sentence for a person; it names the host, never a path, query or header."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)

    @property
    def worth_retrying(self) -> bool:
        """Whether the same call may succeed later."""
        return self.reason in RETRY_HELPS


@dataclass(frozen=True)
class Reply:
    """What the other side answered, whatever its status; a redirect is a reply like any other."""

    status: int
    headers: httpx2.Headers
    body: bytes


@dataclass(frozen=True)
class Call:
    """One call to be made: `send` it, or `await send_async`. Times in seconds, sizes in bytes."""

    method: str
    url: str
    headers: Mapping[str, str] | None = None
    content: bytes | None = None
    seconds: float = LIMITS.outgoing_seconds
    max_bytes: int = LIMITS.outgoing_bytes
    resolver: Resolver = resolve

    def send(self) -> Reply:
        """The reply; raises `OutgoingError`."""
        request = self._request()
        backend = _Backend(self.resolver, deadline=time.monotonic() + self.seconds)
        with (
            _errors(request),
            httpx2.Client(transport=_Transport(backend), trust_env=False) as client,
            closing(client.send(request, stream=True, follow_redirects=False)) as response,
        ):
            reader = _Reader(response, self.max_bytes)
            for piece in response.iter_raw(PIECE):
                reader.add(piece)
        return reader.reply()

    async def send_async(self) -> Reply:
        """The reply; raises `OutgoingError`."""
        request = self._request()
        transport = _AsyncTransport(_AsyncBackend(self.resolver))
        with _errors(request), anyio.fail_after(self.seconds):
            async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
                response = await client.send(request, stream=True, follow_redirects=False)
                reader = _Reader(response, self.max_bytes)
                try:
                    async for piece in response.aiter_raw(PIECE):
                        reader.add(piece)
                finally:
                    await response.aclose()
        return reader.reply()

    def _request(self) -> httpx2.Request:
        try:
            url = httpx2.URL(self.url)
        except (httpx2.InvalidURL, UnicodeError):
            raise OutgoingError(Reason.REFUSED, _("This is not a web address.")) from None
        if url.scheme not in ("http", "https") or not url.host:
            raise OutgoingError(Reason.REFUSED, _("Only addresses that begin with https:// or http:// are called."))
        if url.userinfo:
            raise OutgoingError(Reason.REFUSED, _("An address may not hold a user name or password."))
        headers = {"User-Agent": "Casebook", **(self.headers or {}), "Accept-Encoding": "identity"}
        timeout = httpx2.Timeout(self.seconds).as_dict()
        return httpx2.Request(self.method, url, headers=headers, content=self.content, extensions={"timeout": timeout})


class _Reader:
    """Collects a body and stops at its limit, whatever length the other side announces."""

    def __init__(self, response: httpx2.Response, max_bytes: int) -> None:
        self.response, self.max_bytes = response, max_bytes
        self.pieces: list[bytes] = []
        self.size = 0
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise httpx2.DecodingError("compressed though asked not to be", request=response.request)

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > self.max_bytes:
            message = _("%(host)s answered with more than %(bytes)d bytes.")
            host = self.response.request.url.host
            raise OutgoingError(Reason.TOO_LARGE, message % {"host": host, "bytes": self.max_bytes})
        self.pieces.append(piece)

    def reply(self) -> Reply:
        return Reply(self.response.status_code, self.response.headers, b"".join(self.pieces))


@contextmanager
def _errors(request: httpx2.Request) -> Iterator[None]:
    """Every way in which a call may fail, as the one error."""
    host = {"host": request.url.host}
    try:
        yield
    except AddressRefused:
        message = _("%(host)s is a private or special address, and this server does not allow it by name.")
        raise OutgoingError(Reason.REFUSED, message % host) from None
    except (httpx2.TimeoutException, TimeoutError):
        raise OutgoingError(Reason.TIMED_OUT, _("%(host)s did not answer in time.") % host) from None
    except httpx2.ConnectError:
        raise OutgoingError(Reason.UNREACHABLE, _("%(host)s cannot be reached.") % host) from None
    except (httpx2.HTTPError, httpx2.StreamError):
        raise OutgoingError(Reason.BROKEN, _("%(host)s did not answer as a web server should.") % host) from None


@cache
def tls_context() -> ssl.SSLContext:
    """By which certificates are judged."""
    return httpx2.create_ssl_context(trust_env=False)


class _Transport(httpx2.HTTPTransport):
    """httpx2's transport over our backend; httpx2 itself takes no backend, only httpcore2 does."""

    def __init__(self, backend: httpcore2.NetworkBackend) -> None:
        super().__init__(verify=tls_context(), trust_env=False)
        self._pool = httpcore2.ConnectionPool(ssl_context=tls_context(), network_backend=backend)


class _AsyncTransport(httpx2.AsyncHTTPTransport):
    def __init__(self, backend: httpcore2.AsyncNetworkBackend) -> None:
        super().__init__(verify=tls_context(), trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(ssl_context=tls_context(), network_backend=backend)


def address_refused(error: BaseException | None) -> bool:
    """Whether an error was raised, however deeply wrapped, because we do not call such an address."""
    while error is not None:
        if isinstance(error, AddressRefused):
            return True
        error = error.__cause__ or error.__context__
    return False


class _Backend(httpcore2.NetworkBackend):
    """Resolves, checks and connects, and lets no connection outlive the deadline (in monotonic seconds)."""

    def __init__(self, resolver: Resolver, *, deadline: float) -> None:
        self.resolver, self.deadline = resolver, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception = httpcore2.ConnectError(host)
        for address in checked(host, self._resolved(host, port), allowed_hosts=settings.OUTGOING_ALLOWED_HOSTS):
            try:
                stream = httpcore2.SyncBackend().connect_tcp(address, port, timeout=_left(self.deadline))
            except httpcore2.ConnectError as error:
                failure = error
            else:
                return _Stream(stream, self.deadline)
        raise failure

    def _resolved(self, host: str, port: int) -> list[str]:
        """The system's resolver knows no time limit: it gets a thread of its own, which may be left behind."""
        answer: Future[list[str]] = Future()

        def ask() -> None:
            try:
                answer.set_result(self.resolver(host, port))
            except (OSError, UnicodeError) as error:
                answer.set_exception(error)

        Thread(target=ask, daemon=True).start()
        try:
            return answer.result(_left(self.deadline))
        except FutureTimeout:
            raise httpcore2.ConnectTimeout(host) from None
        except (OSError, UnicodeError):
            raise httpcore2.ConnectError(host) from None


class _Stream(httpcore2.NetworkStream):
    """A connection whose every step has only the time that is left of the whole."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float) -> None:
        self.stream, self.deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, timeout=_left(self.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), PIECE):
            self.stream.write(buffer[start : start + PIECE], timeout=_left(self.deadline))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        secured = self.stream.start_tls(ssl_context, server_hostname, timeout=_left(self.deadline))
        return _Stream(secured, self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the whole call took too long")
    return left


class _AsyncBackend(httpcore2.AsyncNetworkBackend):
    """Resolves, checks and connects; `send_async` cancels the whole when its time is up."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            addresses = await addresses_of(host, port, self.resolver)
        except (OSError, UnicodeError):
            raise httpcore2.ConnectError(host) from None
        failure: Exception = httpcore2.ConnectError(host)
        for address in addresses:
            try:
                return await httpcore2.AnyIOBackend().connect_tcp(address, port, timeout=timeout)
            except httpcore2.ConnectError as error:
                failure = error
        raise failure


async def addresses_of(host: str, port: int, resolver: Resolver) -> list[str]:
    """Where a host may be connected to. Raises `AddressRefused`, and `OSError` or `UnicodeError` where it has none."""
    found = await anyio.to_thread.run_sync(resolver, host, port, abandon_on_cancel=True)
    return checked(host, found, allowed_hosts=settings.OUTGOING_ALLOWED_HOSTS)
