"""Opening a client of the openai package at a target."""

from typing import Any

import httpx2
from openai import AsyncAzureOpenAI, AsyncOpenAI

from agents.logic.targets import OPENAI_URL, Provider, Target
from core.kept_http import KeptClient

# What is sent where an endpoint wants no key; the package insists on one.
NO_KEY = "none"


def open_client(target: Target, *, seconds: float) -> AsyncOpenAI:
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


class _KnownUrls:
    """A client asks the same few addresses all the time; the package puts them together anew for each request."""

    def _prepare_url(self, url: str) -> httpx2.URL:
        known: dict[str, httpx2.URL] = self.__dict__.setdefault("_known_urls", {})
        if url not in known:
            known[url] = super()._prepare_url(url)  # type: ignore[misc]
        return known[url]


class _OpenAI(_KnownUrls, AsyncOpenAI):
    """OpenAI, or a compatible endpoint."""


class _Azure(_KnownUrls, AsyncAzureOpenAI):
    """Azure OpenAI."""
