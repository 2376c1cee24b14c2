"""Calls of Casebook's API: JSON in and out, every answer either data, a refusal, or no answer at all."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import httpx2

from evals.command.failures import Refused, Unreachable, WrongUsage

ROOT = "/api/v1"
VERSION = "0.1.0"
# A start lays down every case of a dataset before it answers.
TIMES = httpx2.Timeout(120, connect=15)
TRY_AGAIN = {408, 425, 429}
LONGEST_WAIT = 60.0
Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """`data` is None where nothing changed since the answer with this `etag`."""

    data: Json | None
    etag: str = ""


class Api:
    """The API at one address, asked with one key.

    A redirect is not followed: the key belongs to the address that was given and to no other.
    """

    def __init__(self, url: str, key: str, transport: httpx2.BaseTransport | None = None) -> None:
        self.url = url
        headers = {
            "Authorization": f"Bearer {key}",
            "Accept": "application/json",
            "Accept-Language": "en",
            "User-Agent": f"casebook-command/{VERSION}",
        }
        self.client = httpx2.Client(base_url=url + ROOT, headers=headers, timeout=TIMES, transport=transport)

    def get(self, path: str, query: Mapping[str, str] | None = None, *, etag: str = "") -> Answer:
        """Raises `Refused` and `Unreachable`."""
        response = self._send("GET", path, params=query, headers={"If-None-Match": etag} if etag else None)
        if response.status_code == httpx2.codes.NOT_MODIFIED:
            return Answer(None, etag)
        return Answer(_json(response), response.headers.get("ETag", ""))

    def post(self, path: str, body: Json | None = None, *, idempotency_key: str = "") -> Json:
        """Raises `Refused` and `Unreachable`. With a key the same request may be sent again and acts once."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else None
        return _json(self._send("POST", path, json=body or {}, headers=headers))

    def save(self, path: str, query: Mapping[str, str], file: BinaryIO) -> None:
        """Write what the server sends into the file, as it comes. Raises `Refused` and `Unreachable`."""
        with (
            _heard(),
            self.client.stream("GET", path, params=query, headers={"Accept": "*/*"}) as response,
        ):
            if not response.is_success:
                response.read()
                raise _refusal(response)
            for piece in response.iter_bytes():
                file.write(piece)

    def address(self, path: str) -> str:
        """The whole address of what the server named by its path."""
        return path if path.startswith(("http://", "https://")) else self.url + "/" + path.lstrip("/")

    def close(self) -> None:
        self.client.close()

    def _send(self, method: str, path: str, **given: Any) -> httpx2.Response:
        with _heard():
            response = self.client.request(method, path, **given)
        if response.is_success or response.status_code == httpx2.codes.NOT_MODIFIED:
            return response
        raise _refusal(response)


@contextmanager
def _heard() -> Iterator[None]:
    """Say without the request, and so without its key, why there was no answer."""
    try:
        yield
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.ProxyError) as error:
        raise Unreachable(f"No connection: {error}", was_sent=False) from None
    except httpx2.TimeoutException:
        raise Unreachable("The server took too long to answer.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unreachable(f"The connection broke: {type(error).__name__}.") from None


def _json(response: httpx2.Response) -> Json:
    try:
        data = response.json()
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise Unreachable("What answers at this address is not the API of Casebook.")
    return data


def _refusal(response: httpx2.Response) -> Refused | Unreachable | WrongUsage:
    """A refusal, or where the same may be answered later, no answer yet."""
    status = response.status_code
    if response.is_redirect:
        where = response.headers.get("Location", "")
        return WrongUsage(f"The server sends on to {where}. Set CASEBOOK_URL to the address that answers itself.")
    if status >= 500 or status in TRY_AGAIN:
        return Unreachable(f"The server answered {status}.", wait=_wait(response))
    try:
        body = response.json()
    except ValueError:
        body = None
    known = body if isinstance(body, dict) else {}
    if known.get("code") == "request_running":
        return Unreachable("The server is still answering the same request.")
    return Refused(status, _sentences(status, known))


def _wait(response: httpx2.Response) -> float:
    sent = response.headers.get("Retry-After", "")
    return min(float(sent), LONGEST_WAIT) if sent.isascii() and sent.isdigit() else 0.0


def _sentences(status: int, body: Json) -> str:
    """What the server said, each problem with its field."""
    said = [str(body["detail"])] if body.get("detail") else [f"The server answered {status}."]
    errors = body.get("errors")
    for problem in errors if isinstance(errors, list) else ():
        if isinstance(problem, dict) and problem.get("message"):
            field = f"{problem['field']}: " if problem.get("field") else ""
            said.append(f"{field}{problem['message']}")
    return "\n".join(said)
