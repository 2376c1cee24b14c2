"""The one table of environment variables: name, type, default and what each is for (PL-51).

`read(os.environ)` gives the values or raises `WrongEnvironment`, which names every wrong variable at once, so that an
operator mends a deployment in one go. `docs/settings.md` is generated from this table.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet

ROOT = Path(__file__).resolve().parent.parent


class WrongEnvironment(Exception):
    """One or more environment variables are missing or wrong; the message has a line for each."""


def text(value: str) -> str:
    return value


def boolean(value: str) -> bool:
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if value.strip().lower() not in known:
        raise ValueError("must be true or false")
    return known[value.strip().lower()]


def whole_number(value: str) -> int:
    if not value.strip().isascii() or not value.strip().isdigit() or int(value) < 1:
        raise ValueError("must be a whole number of at least 1")
    return int(value)


def whole_number_or_zero(value: str) -> int:
    return 0 if value.strip() == "0" else whole_number(value)


def words(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def secret(value: str) -> str:
    if len(value) < 50 or len(set(value)) < 5:
        raise ValueError("must be at least 50 characters with at least 5 different ones")
    return value


def fernet_keys(value: str) -> tuple[str, ...]:
    keys = words(value)
    if not keys:
        raise ValueError("must hold at least one key")
    for position, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError:
            raise ValueError(f"key {position} is not 32 bytes as URL-safe base64") from None
    return keys


def service(*schemes: str) -> Callable[[str], str]:
    """The address of a service, in one of the schemes; empty where the variable is optional."""

    def address(value: str) -> str:
        known = [f"{scheme}://" for scheme in schemes]
        if value and not value.startswith(tuple(known)):
            raise ValueError(f"must begin with {' or '.join(known)}")
        if value and urlsplit(value).port == 0:
            raise ValueError("must have a port above 0")
        return value

    return address


def web_address(value: str) -> str:
    parts = urlsplit(value)
    if (
        parts.port == 0
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.path.strip("/")
        or parts.query
    ):
        raise ValueError("must be http:// or https:// and a host, without a path")
    return f"{parts.scheme}://{parts.netloc}"


def rate(value: str) -> str:
    count, _, period = value.partition("/")
    if not count.isdigit() or int(count) < 1 or period not in ("second", "minute", "hour", "day"):
        raise ValueError("must be a number, a slash and second, minute, hour or day, such as 600/minute")
    return value


def one_of(*choices: str) -> Callable[[str], str]:
    def choice(value: str) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return choice


@dataclass(frozen=True)
class Variable:
    """One environment variable. `default` is written as it would stand in the environment; None means required."""

    name: str
    parse: Callable[[str], Any]
    default: str | None
    sentence: str


VARIABLES = (
    Variable("SECRET_KEY", secret, None, "Signs sessions and links; at least 50 random characters."),
    Variable(
        "ENCRYPTION_KEYS",
        fernet_keys,
        None,
        "Fernet keys, separated by commas, that encrypt stored secrets. The first encrypts, all decrypt: to rotate, "
        "put a new key in front.",
    ),
    Variable("DEBUG", boolean, "false", "Development: error pages with details, the component gallery at /ui/."),
    Variable(
        "BASE_URL",
        web_address,
        "http://localhost:8000",
        "The address people use. With https, cookies are secure and HSTS is sent.",
    ),
    Variable("ALLOWED_HOSTS", words, "", "Further host names that are answered, separated by commas."),
    Variable(
        "DATABASE_URL",
        service("postgres", "postgresql", "sqlite"),
        f"sqlite:///{ROOT / 'var' / 'casebook.sqlite3'}",
        "postgres://user:password@host/name for a team; SQLite in var/ without it.",
    ),
    Variable(
        "REDIS_URL",
        service("redis", "rediss", "unix"),
        "",
        "Redis for the job queue and the cache; without it the database serves for both.",
    ),
    Variable("WORKERS", whole_number, "2", "Processes of one job worker."),
    Variable("WEB_PROCESSES", whole_number, "1", "Web processes of one machine; a team's machine takes one a core."),
    Variable(
        "WEB_THREADS", whole_number, "8", "Threads of one web process; each answer that streams in the chat holds one."
    ),
    Variable("LOG_LEVEL", one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO", "The least severe log line written."),
    Variable("LOG_FORMAT", one_of("json", "text"), "json", "json for machines, text for people."),
    Variable(
        "TRUSTED_PROXIES",
        whole_number_or_zero,
        "0",
        "How many reverse proxies stand in front; the client's address and scheme are read from their headers.",
    ),
    Variable(
        "OUTGOING_ALLOWED_HOSTS",
        words,
        "",
        "Hosts on private or loopback addresses that agents, tools and models may be called at, separated by commas.",
    ),
    Variable(
        "EMAIL_URL",
        service("smtp", "smtps"),
        "",
        "smtp://user:password@host:587, or smtps:// for TLS from the first byte; special characters in the password "
        "as %40 and the like. Without it mail is written to var/mail/.",
    ),
    Variable("DEFAULT_FROM_EMAIL", text, "casebook@localhost", "The sender of mail."),
    Variable("TWO_FACTOR", boolean, "true", "Whether members may protect their login with time-based codes."),
    Variable("OIDC_NAME", text, "Single sign-on", "The label of the OpenID Connect button."),
    Variable(
        "OIDC_SERVER_URL",
        service("https", "http"),
        "",
        "The issuer's address; with it, sign-in through OpenID Connect is on.",
    ),
    Variable("OIDC_CLIENT_ID", text, "", "The client id at the issuer."),
    Variable("OIDC_CLIENT_SECRET", text, "", "The client secret at the issuer."),
    Variable("API_RATE", rate, "600/minute", "Requests that one API key or session may make to the API."),
    Variable(
        "DATASET_MAX_VERSION_ROWS_PER_ORG",
        whole_number,
        "5000000",
        "Case revisions that the datasets of one organisation may hold together (DS-70).",
    ),
    Variable("EVAL_MAX_ATTEMPTS", whole_number, "20000", "Answers of one test run: its cases times repeats (EV-D8)."),
    Variable("EVAL_CONCURRENCY_PER_RUN", whole_number, "4", "Attempts of one test run at work at once (EV-D21)."),
    Variable("EVAL_CONCURRENCY_PER_ORG", whole_number, "8", "The same of one organisation (EV-D21)."),
    Variable("EVAL_MAX_ACTIVE_PER_ORG", whole_number, "3", "Test runs of one organisation at work at once (EV-D21)."),
    Variable(
        "EVAL_ATTEMPT_TIMEOUT_SECONDS", whole_number, "300", "Seconds that one attempt of a test run may take (EV-D24)."
    ),
    Variable(
        "EVAL_LEASE_SECONDS",
        whole_number,
        "120",
        "Seconds after which an attempt of a worker that gives no sign is taken back (EV-D29).",
    ),
    Variable("EVAL_CONFIRM_ATTEMPTS", whole_number, "2", "Further attempts that confirm a changed result (EV-D46)."),
    Variable("EVAL_CONFIRM_MAX_CASES", whole_number, "100", "Changed cases that one test run confirms (EV-D47)."),
)


@dataclass(frozen=True)
class Environment:
    """The parsed values, read as attributes of the variables' names: `environment.BASE_URL`."""

    values: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None


def read(environ: Mapping[str, str]) -> Environment:
    """Parse every variable of the table; raise `WrongEnvironment` that names all wrong ones."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for variable in VARIABLES:
        raw = environ.get(variable.name) or variable.default
        if raw is None:
            problems.append(f"{variable.name} is missing. {variable.sentence}")
            continue
        try:
            values[variable.name] = variable.parse(raw)
        except ValueError as error:
            problems.append(f"{variable.name} {error}. {variable.sentence}")
    if values.get("OIDC_SERVER_URL") and not (values.get("OIDC_CLIENT_ID") and values.get("OIDC_CLIENT_SECRET")):
        problems.append("OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are needed where OIDC_SERVER_URL is set.")
    if problems:
        raise WrongEnvironment("The environment is not complete:\n" + "\n".join(f"  - {line}" for line in problems))
    return Environment(values)


def local_file() -> str:
    """The text of a fresh `.env` for one laptop: random secrets, development on, logs for people."""
    return (
        "# Made for this machine. Keep it out of version control; see docs/settings.md for every variable.\n"
        f"SECRET_KEY={secrets.token_urlsafe(64)}\n"
        f"ENCRYPTION_KEYS={Fernet.generate_key().decode()}\n"
        "DEBUG=true\n"
        "LOG_FORMAT=text\n"
    )


if __name__ == "__main__":
    path = ROOT / ".env"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(local_file(), encoding="utf-8")
