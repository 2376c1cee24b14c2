"""Opening a client of the openai package at a target."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, AsyncAzureOpenAI, AsyncOpenAI

from agents.logic.targets import OPENAI_URL, Provider, Target
from core.ids import new_id
from core.kept_http import KeptClient, Repeatable

# What is sent where an endpoint wants no key; the package insists on one.
NO_KEY = "none"
IDEMPOTENCY = "Idempotency-Key"


def open_client(target: Target, *, seconds: float) -> "Client":
    """A client there, to be closed by the caller. It asks once: asking again is decided in `trying`."""
    shared: dict[str, Any] = {
        "api_key": target.key or NO_KEY,
        "max_retries": 0,
        "timeout": seconds,
        "http_client": KeptClient(),
    }
    if target.provider is Provider.AZURE:
        return _Azure(azure_endpoint=target.base_url, api_version=target.api_version, **shared)
    # All set here, or the package reads addresses and names of its own from the environment.
    return _OpenAI(base_url=target.base_url or OPENAI_URL, organization="", project="", **shared)


class _Posting:
    """What both clients do beyond the package: ask the same few addresses many times a second.

    The package puts each request together from parts that are the same each time, which takes longer than sending it.
    So it makes the first, and further ones repeat that with a body and an idempotency key of their own.
    """

    _client: Any

    async def posted(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str], seconds: float) -> bytes:
        """The body of the reply. Raises the package's `APIError`, and what `KeptClient` refuses to call."""
        requests: dict[Any, Repeatable] = self.__dict__.setdefault("_repeatable", {})
        # The model stands in the address of some providers, and the limit of time among the headers.
        kind = (path, body.get("model"), tuple(headers.items()), seconds)
        if kind not in requests:
            options = {"timeout": seconds, "headers": dict(headers), "idempotency_key": str(new_id())}
            answered = await self.post(path, cast_to=httpx2.Response, body=body, options=options)  # type: ignore[attr-defined]
            requests[kind] = Repeatable.of(answered.request, without=[IDEMPOTENCY])
            return bytes(answered.content)
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        try:
            return await self._client.repeat(requests[kind], {IDEMPOTENCY: str(new_id())}, content)
        except httpx2.HTTPStatusError as error:
            raise _status_error(error.response) from None
        except httpx2.RequestError as error:
            raise APIConnectionError(request=requests[kind].request) from error

    def _prepare_url(self, url: str) -> httpx2.URL:
        known: dict[str, httpx2.URL] = self.__dict__.setdefault("_known_urls", {})
        if url not in known:
            known[url] = super()._prepare_url(url)  # type: ignore[misc]
        return known[url]


class _OpenAI(_Posting, AsyncOpenAI):
    """OpenAI, or a compatible endpoint."""


class _Azure(_Posting, AsyncAzureOpenAI):
    """Azure OpenAI."""


Client = _OpenAI | _Azure


def _status_error(response: httpx2.Response) -> APIStatusError:
    """As the package raises it; `body` is what the provider says of the error."""
    try:
        said: Any = response.json()
    except (ValueError, RecursionError):
        said = response.text
    body = said.get("error", said) if isinstance(said, dict) else said
    return APIStatusError(f"Error code: {response.status_code}", response=response, body=body)
