"""Structured logs: one line an event, with a request id, and never any content (PL-52).

Callers log an event's name and ids or counts: `log.info("dataset.imported", dataset=str(dataset.id), cases=40)`.
"""

import logging
from typing import Any

import structlog

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def drop_messages_of_errors(_logger: Any, _name: str, event: dict[str, Any]) -> dict[str, Any]:
    """Keep of an exception its type and where it was raised: a message may quote the text that caused it."""
    info = event.pop("exc_info", None)
    if isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if isinstance(info, tuple) and info[0] is not None:
        event["error"] = f"{info[0].__module__}.{info[0].__qualname__}"
        event["frames"] = list(_frames(info[2]))
    return event


def _frames(traceback: Any) -> Any:
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}"
        traceback = traceback.tb_next


class WithoutAddress(logging.Filter):
    """Cuts a warning of Django's or gunicorn's to its first words: an address follows, and addresses hold tokens."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        first = record.args[0] if isinstance(record.args, tuple) and record.args else record.msg
        record.msg, record.args = str(first).partition(":")[0].partition("/")[0].strip(' "'), ()
        return True


OURS = ("casebook", "config", "core", "accounts", "agents", "activity", "datasets", "scoring", "evals", "review")


def logging_settings(*, level: str, style: str) -> dict[str, Any]:
    """Django's LOGGING: everything on standard error, as JSON or as text for people; configures structlog too.

    `level` is for our own lines. Other packages stay at INFO or above: at DEBUG they write SQL with its values and
    headers with their keys.
    """
    logging.captureWarnings(True)
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: Any = (
        structlog.processors.JSONRenderer() if style == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    quiet = {"level": logging.WARNING}
    without_address = {"filters": ["without_address"], "handlers": []}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"without_address": {"()": WithoutAddress}},
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    drop_messages_of_errors,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": "INFO" if level == "DEBUG" else level},
        "loggers": {
            **{ours: {"level": level} for ours in OURS},
            "django": {"propagate": True, "handlers": []},
            # The access log is ours (core/middleware.py), by route and without query.
            "django.request": {"level": logging.ERROR, **without_address},
            "django.security": {"level": logging.ERROR},
            "django.security.csrf": {"level": logging.ERROR, **without_address},
            "django.server": {"level": logging.ERROR, "propagate": True, **without_address},
            "gunicorn.error": {"propagate": True, **without_address},
            "httpx2": quiet,
            "httpcore2": quiet,
            "openai": quiet,
        },
    }


def logger(name: str) -> Any:
    """The structured logger of a module: `log = logger(__name__)`."""
    return structlog.stdlib.get_logger(name)
