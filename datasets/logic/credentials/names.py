"""Names that say that what follows is a credential, and kinds that only such a name tells apart (DS-D62)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from datasets.logic.credentials.marker import UNKNOWN


class Promise(StrEnum):
    """What a name promises: a password may be a word, a key never is, a bare `key` counts with a known owner only."""

    PASSWORD = "password"  # noqa: S105
    KEY = "key"
    OWNED = "owned"


_PASSWORDS = "passw(?:or)?d|passwort|passphrase|passcode|pwd|contrase(?:ñ|n)a|has(?:ł|l)o"
_KEYS = "token|secret|credentials?|authorization|auth|klucz[ _]api|clave"
_OWNED = "key|pass|pw"
WORD = re.compile(rf"(?:(?P<password>{_PASSWORDS})|(?P<key>{_KEYS})|(?P<owned>{_OWNED}))")
"""The last word of a name, in lower case."""

_BEGINNINGS = (
    *("pass", "pw", "contrase", "hasło", "haslo", "token", "secret", "credential", "auth", "klucz", "clave", "key"),
)
_ENDINGS = (
    *("password", "passwd", "passwort", "passphrase", "passcode", "pwd", "contraseña", "contrasena", "hasło"),
    *("haslo", "token", "secret", "credential", "credentials", "authorization", "auth", "clave", "key", "pass", "pw"),
)
_BEFORE_KEY = (
    *(
        "api",
        "access",
        "auth",
        "secret",
        "private",
        "client",
        "account",
        "service",
        "encryption",
        "signing",
        "signature",
    ),
    *(
        "master",
        "admin",
        "database",
        "db",
        "priv",
        "shared",
        "storage",
        "subscription",
        "app",
        "application",
        "license",
    ),
    *("webhook", "consumer", "deploy"),
)
_BEFORE_PASS = (
    *("db", "database", "user", "admin", "root", "smtp", "mail", "ftp", "ssh", "mysql", "postgres", "pg", "redis"),
    *("proxy", "rabbitmq", "basic", "auth"),
)
_BEFORE_HARMLESS = (
    *(
        "page",
        "pagination",
        "starting",
        "update",
        "next",
        "prev",
        "previous",
        "cursor",
        "continuation",
        "sync",
        "pad",
        "eos",
        "bos",
        "unk",
        "sep",
        "cls",
    ),
    *("mask", "stop", "special", "last", "first", "public", "cancellation", "cancel", "csrf", "xsrf", "idempotency"),
    *(
        "lock",
        "fencing",
        "image",
        "start",
        "end",
        "per",
        "input",
        "output",
        "design",
        "change",
        "delta",
        "row",
        "lexer",
    ),
    *("syntax", "forgot", "reset", "no", "wrong", "without"),
)
_JOINTS = " _.-"
_NAME_STARTS = re.compile(r"[\r\n;,(){}|=]|[.:] | --")


@dataclass(frozen=True)
class NamedKind:
    """A kind without a shape of its own: a value of that form beside a name with that owner in it."""

    name: str
    owner: re.Pattern[str]
    value: re.Pattern[str]


def _named(name: str, owner: str, value: str) -> NamedKind:
    return NamedKind(name, re.compile(owner), re.compile(value))


_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

NAMED = (
    _named("aws_secret_key", r"aws|amazon|secret[ _.-]?access[ _.-]?key|s3", r"[A-Za-z0-9/+=]{40}"),
    _named("heroku_key", r"heroku", _UUID),
    _named(
        "cloudant_password",
        r"cloudant|(?:^|[^a-z])cl(?:ou)?(?:[^a-z]|api|key|pw|pass|token)",
        r"[0-9a-f]{64}|[a-z]{24}",
    ),
    _named("softlayer_key", r"softlayer|(?:^|[^a-z])sl(?:[^a-z]|api|key|pw|pass|token)", r"[a-z0-9]{64}"),
    _named("ibm_cos_key", r"cos|secret[_-]?access[_-]?key|secret[_-]?key", r"[a-f0-9]{48}"),
    _named("ibm_cloud_key", r"ibm|iam|cloud", r"[A-Za-z0-9_-]{44}"),
    _named("fastly_token", r"fastly", r"[A-Za-z0-9_=-]{32}"),
    _named("twilio_auth_token", r"twilio", r"[0-9a-f]{32}"),
    _named("vault_token", r"vault", r"s\.[A-Za-z0-9]{24}"),
    _named("artifactory_key", r"jfrog|artifactory|bintray|xray", r"[a-zA-Z0-9]{64}|[a-zA-Z0-9]{73}"),
    _named("dropbox_token", r"dropbox", r"[a-z0-9]{15}|[A-Za-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}"),
    _named("linear_secret", r"linear", r"[a-f0-9]{32}"),
    _named("discord_secret", r"discord", r"[A-Za-z0-9_-]{32}|[a-f0-9]{64}"),
    _named("cloudflare_key", r"cloudflare|(?:^|[^a-z])cf[_-]", r"[A-Za-z0-9_-]{40}|[a-f0-9]{37}"),
    _named("datadog_key", r"datadog|(?:^|[^a-z])dd[_-]", r"[a-f0-9]{32}|[a-f0-9]{40}"),
    _named("cohere_api_key", r"cohere|(?:^|[^a-z])co_api", r"[A-Za-z0-9]{40}"),
    _named("mistral_api_key", r"mistral", r"[A-Za-z0-9]{32}"),
    _named("azure_openai_key", r"azure", r"[0-9a-f]{32}|[A-Za-z0-9]{84}"),
    _named("okta_token", r"okta", r"00[\w=-]{40}"),
    _named("snyk_token", r"snyk", _UUID),
    _named("sentry_token", r"sentry", r"[a-f0-9]{64}"),
    _named("algolia_key", r"algolia", r"[a-f0-9]{32}"),
    _named("digitalocean_token", r"digitalocean|(?:^|[^a-z])do[_-]", r"[a-f0-9]{64}"),
)


SHORTEST_NAMED = 15
"""Characters of the shortest value that a named kind knows."""


def positions(lowered: str) -> list[int]:
    """Where in a text in lower case a word may begin that ends the name of a credential, in order."""
    found: list[int] = []
    for word in _BEGINNINGS:
        if word in lowered:
            at = lowered.find(word)
            while at >= 0:
                found.append(at)
                at = lowered.find(word, at + len(word))
    found.sort()
    return found


def last_word(name: str) -> re.Match[str] | None:
    """The word that ends a name in lower case, when it is one of those of a credential."""
    if not name.endswith(_ENDINGS):
        return None
    return next((word for at in positions(name) if (word := WORD.match(name, at)) and word.end() == len(name)), None)


def promise(before: str, word: re.Match[str]) -> Promise | None:
    """What a name promises whose last word is `word`, with `before` before it; None for `next_page_token`."""
    owner = before[:-1] if before and before[-1] in _JOINTS else before
    if owner.endswith(_BEFORE_HARMLESS):
        return None
    if word["password"]:
        return Promise.PASSWORD
    if word["key"]:
        return Promise.KEY if word["key"] != "auth" or before.endswith("_") else None
    if word["owned"] == "key":
        return Promise.KEY if owner.endswith(_BEFORE_KEY) else Promise.OWNED
    return Promise.PASSWORD if owner.endswith(_BEFORE_PASS) else Promise.OWNED


def word_of(match: re.Match[str]) -> str:
    """The last word of a name, from any match that begins with `WORD`."""
    return match["password"] or match["key"] or match["owned"]


def named_kind(name: str, value: str) -> str | None:
    """The kind of a value of known form beside a name with a known owner (the name in lower case), or None.

    `name` may hold what stands before it: the owner is sought in the words up to it, `AWS secret access key`.
    """
    if len(value) < SHORTEST_NAMED:
        return None
    words = _NAME_STARTS.split(name)[-1]
    return next((kind.name for kind in NAMED if kind.value.fullmatch(value) and kind.owner.search(words)), None)


def kind_of(name: str, value: str) -> str:
    """The kind to write into the marker."""
    return named_kind(name, value) or UNKNOWN
