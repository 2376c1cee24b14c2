"""Turning what the openai package raises into a ProviderFailure that says what happened and what to do."""

from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from openai import APIConnectionError, APIError, APIResponseValidationError, APIStatusError, APITimeoutError

from agents.logic.targets import OPENAI_URL, Target
from agents.logic.waiting import worth_asking_again
from agents.provider.failures import Cause, ProviderFailure, without_key
from core.http import address_refused


class NoReply(ValueError):
    """The provider answered with success, but not with a chat completion."""

    def __init__(self, answered: Any) -> None:
        dump = getattr(answered, "model_dump_json", None)
        super().__init__(dump(warnings=False) if dump else str(answered))


class BrokenOff(ValueError):
    """The stream ended without the end of the answer."""

    def __init__(self) -> None:
        super().__init__("the stream ended before the answer did")


def failure_of(error: Exception, target: Target, *, tries: int, model: str) -> ProviderFailure:
    """The failure that the error means."""
    if isinstance(error, APIStatusError):
        return _by_status(error, target, tries=tries, model=model)
    if address_refused(error):
        message = _("This address is private or special, and this server does not allow it by name.")
        return ProviderFailure(Cause.REFUSED_ADDRESS, message, tries=tries)
    host = {"host": urlsplit(target.base_url or OPENAI_URL).netloc}
    if isinstance(error, APITimeoutError | TimeoutError):
        return ProviderFailure(Cause.TIMED_OUT, _("%(host)s did not answer in time.") % host, tries=tries)
    if isinstance(error, APIConnectionError):
        said = without_key(str(error.__cause__ or ""), target.key)
        return ProviderFailure(Cause.UNREACHABLE, _("%(host)s cannot be reached.") % host, said=said, tries=tries)
    if isinstance(error, BrokenOff):
        return ProviderFailure(Cause.BROKEN, _("%(host)s broke off in the middle of the answer.") % host, tries=tries)
    if type(error) is APIError:  # an error inside of a stream, which has no status
        said = without_key(error.message, target.key)
        return ProviderFailure(Cause.BROKEN, _("The provider answers with an error."), said=said, tries=tries)
    message = _("The provider answered, but not as a chat API does.")
    said = error.message if isinstance(error, APIResponseValidationError) else str(error)
    return ProviderFailure(Cause.BROKEN, message, said=without_key(said, target.key), tries=tries)


def _by_status(error: APIStatusError, target: Target, *, tries: int, model: str) -> ProviderFailure:
    status = error.status_code
    cause, message = _meaning(status, model)
    said = without_key(_words(error), target.key)
    return ProviderFailure(cause, message, status=status, said=said, tries=tries)


def _meaning(status: int, model: str) -> tuple[Cause, str]:
    if status in (401, 403):
        return Cause.WRONG_KEY, _("The provider does not take this key (status %(status)d).") % {"status": status}
    if status == 404:
        return Cause.NO_SUCH_MODEL, _("The provider has no model “%(model)s” at this address.") % {"model": model}
    if status == 429:
        return Cause.RATE_LIMITED, _("The provider asks to send less, or the account's limit is reached (status 429).")
    if worth_asking_again(status):
        return Cause.BROKEN, _("The provider has a fault of its own (status %(status)d).") % {"status": status}
    return Cause.REFUSED, _("The provider refuses the request (status %(status)d).") % {"status": status}


def _words(error: APIStatusError) -> str:
    """The provider's own message, or the whole body where it has another shape."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return error.response.text
