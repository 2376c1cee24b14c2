"""Opening a client of the openai package at a target."""

from typing import Any

from openai import AsyncAzureOpenAI, AsyncOpenAI

from agents.logic.targets import OPENAI_URL, Provider, Target
from core.http import client_for_library

# What is sent where an endpoint wants no key; the package insists on one.
NO_KEY = "none"


def open_client(target: Target, *, seconds: float) -> AsyncOpenAI:
    """A client there, to be closed by the caller. It asks once: asking again is decided in `asking`."""
    shared: dict[str, Any] = {
        "api_key": target.key or NO_KEY,
        "max_retries": 0,
        "timeout": seconds,
        "http_client": client_for_library(seconds=seconds),
    }
    if target.provider is Provider.AZURE:
        return AsyncAzureOpenAI(azure_endpoint=target.base_url, api_version=target.api_version, **shared)
    # All set here, or the package reads addresses and names of its own from the environment.
    return AsyncOpenAI(base_url=target.base_url or OPENAI_URL, organization="", project="", **shared)
