"""ProviderFailure: why a model gave no reply, in words for a person and without the key."""

from enum import StrEnum

SHOWN_CHARACTERS = 1_000


class Cause(StrEnum):
    """Kinds of failure; each has its own remedy."""

    NO_KEY = "no_key"
    REFUSED_ADDRESS = "refused_address"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed_out"
    WRONG_KEY = "wrong_key"
    NO_SUCH_MODEL = "no_such_model"
    RATE_LIMITED = "rate_limited"
    REFUSED = "refused"  # the provider does not take this request
    BROKEN = "broken"  # the provider's own fault, or a reply that is none


class ProviderFailure(Exception):
    """`str()` is the sentence. `status` is the HTTP status where there was one, `tries` how often it was asked.

    `said` is what the provider answered, cut and with the key taken out, so that an admin sees the exact error.
    """

    def __init__(self, cause: Cause, message: str, *, status: int | None = None, said: str = "", tries: int = 1):
        self.cause, self.status, self.said, self.tries = cause, status, said, tries
        super().__init__(message)


def without_key(text: str, key: str) -> str:
    """The text as it may be shown: cut, and with the key replaced wherever it stands."""
    return (text.replace(key, "[key]") if key else text)[:SHOWN_CHARACTERS]
