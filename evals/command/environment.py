"""Where Casebook is and with which key it is asked: from the environment and from nowhere else (EV-D60)."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from evals.command.api import ROOT
from evals.command.failures import WrongUsage

URL, KEY = "CASEBOOK_URL", "CASEBOOK_API_KEY"


def read_url(environment: Mapping[str, str]) -> str:
    """The address without its end, given with or without the root of the API. Raises `WrongUsage`."""
    url = environment.get(URL, "").strip().rstrip("/").removesuffix(ROOT).rstrip("/")
    if not url:
        raise WrongUsage(f"Set {URL} to the address of Casebook, such as https://casebook.example.org")
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or parts.query or parts.fragment or parts.username:
        raise WrongUsage(f"{URL} is no address such as https://casebook.example.org")
    return url


def read_key(environment: Mapping[str, str]) -> str:
    """The key, without the line end that a file of secrets leaves. Raises `WrongUsage`, without the key in it."""
    key = environment.get(KEY, "").strip()
    if not key:
        raise WrongUsage(f"Set {KEY} to an API key. Keep it among the secrets of the pipeline.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise WrongUsage(f"{KEY} holds characters that no API key has.")
    return key
