"""Target: where a model is asked: whose API, which address, which key."""

from dataclasses import dataclass, field
from enum import StrEnum


class Provider(StrEnum):
    """Whose API is spoken."""

    OPENAI = "openai"
    AZURE = "azure"
    COMPATIBLE = "compatible"


OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True)
class Target:
    """A provider's address with the key, which no text of this object shows; rates are None without a bound."""

    provider: Provider
    base_url: str = ""
    api_version: str = ""
    key: str = field(default="", repr=False)
    requests_a_minute: int | None = None
    tokens_a_minute: int | None = None
