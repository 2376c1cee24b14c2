"""Trying a model: one small call, whose answer or exact error is shown (PL-20)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from agents.models import LanguageModel
from agents.provider import Ask, Cause, ProviderFailure, Reply, ask
from agents.queries.language_models import find_managed_model
from core.encryption import Undecryptable
from core.loops import run_coroutine

QUESTION = "Reply with one short sentence: which model are you?"
MOST_TOKENS = 200
SECONDS = 30.0


@dataclass(frozen=True)
class Trial:
    """What the small call of the model brought: a reply, or why there was none."""

    model: LanguageModel
    reply: Reply | None = None
    failure: ProviderFailure | None = None

    def as_dict(self) -> dict[str, Any]:
        """The outcome as flat values, for the API."""
        reply, failure = self.reply, self.failure
        return {
            "ok": reply is not None,
            "text": reply.text if reply else None,
            "seconds": reply.seconds if reply else None,
            "cause": failure.cause.value if failure else None,
            "status": failure.status if failure else None,
            "message": str(failure) if failure else None,
            "said": failure.said if failure else None,
        }


def try_model(actor: Actor, *, model_id: UUID) -> Trial:
    """Ask the model one thing. Audited; nothing else is stored. Raises `NotFound`, `NotAllowed`."""
    model = find_managed_model(actor, model_id)
    outcome = _asked(model)
    result = "answered" if outcome.failure is None else outcome.failure.cause.value
    audit.record(actor, "model.tried", model, result=result)
    return outcome


def _asked(model: LanguageModel) -> Trial:
    try:
        target = model.connection.target()
    except Undecryptable:
        return Trial(model, failure=ProviderFailure(Cause.NO_KEY, _("The stored key cannot be read. Enter it again.")))
    temperature = 0.0 if model.takes_temperature else None
    messages = [{"role": "user", "content": QUESTION}]
    question = Ask(model.name, messages, temperature=temperature, max_tokens=MOST_TOKENS)
    try:
        return Trial(model, reply=run_coroutine(ask(target, question, seconds=SECONDS, tries=1)))
    except ProviderFailure as failure:
        return Trial(model, failure=failure)
