"""Writes that are sent twice: the first answer is kept beside what it changed, and given again (PL-42)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.models import IdempotentRequest
from core.encryption import decrypt, encrypt
from core.errors import Conflict, Invalid
from core.limits import LIMITS

# So long after it was taken, a key without an answer was left behind by a process that is gone.
ABANDONED_AFTER = timedelta(seconds=LIMITS.agent_seconds + 120)


@dataclass(frozen=True)
class FirstAnswer:
    """What the first request was answered: status, body as JSON text (empty without one), headers."""

    status: int
    body: str
    headers: dict[str, str]


def claim_request(actor: Actor, *, key: str, fingerprint: str) -> IdempotentRequest | FirstAnswer:
    """Take the key for this request, or learn what its first use was answered. Call inside the write's transaction.

    Where another request with the key is running, this waits until it has ended: on PostgreSQL the unique index makes
    it, on SQLite the write lock. Raises Invalid at `Idempotency-Key` where the key came with another request.
    """
    mine = IdempotentRequest.objects.filter(member=actor.member, key=key)
    mine.filter(created_at__lt=_cutoff()).delete()
    row = IdempotentRequest(member=actor.member, key=key, fingerprint=fingerprint)
    IdempotentRequest.objects.bulk_create([row], ignore_conflicts=True)
    found = mine.get()
    _refuse_another(found, fingerprint)
    # Only this request can see a row without a status: its transaction writes it, or it holds the key already.
    if found.status is None:
        return found
    return FirstAnswer(found.status, decrypt(found.body) if found.body else "", found.headers)


@transaction.atomic
def hold_request(actor: Actor, *, key: str, fingerprint: str) -> bool:
    """Take the key before a transaction, for a write that does something first which may not be done twice.

    False where it was answered already, so that there is nothing to do again. Raises `Conflict` `request_running` while
    another request with the key is being answered, and Invalid at `Idempotency-Key` where it was another request.
    """
    mine = IdempotentRequest.objects.filter(member=actor.member, key=key)
    mine.filter(created_at__lt=_cutoff()).delete()
    mine.filter(status=None, created_at__lt=timezone.now() - ABANDONED_AFTER).delete()
    found, is_new = mine.get_or_create(member=actor.member, key=key, defaults={"fingerprint": fingerprint})
    _refuse_another(found, fingerprint)
    if found.status is None and not is_new:
        raise Conflict("request_running", _("This request is being answered. Send it again later for its answer."))
    return is_new


def release_request(actor: Actor, *, key: str) -> None:
    """Give a key back that was held and never answered."""
    IdempotentRequest.objects.filter(member=actor.member, key=key, status=None).delete()


def remember_answer(request: IdempotentRequest, answer: FirstAnswer) -> None:
    """Keep the answer. Encrypted, since it may hold an API key that is shown once, or text of a case."""
    request.status = answer.status
    request.body = encrypt(answer.body) if answer.body else ""
    request.headers = answer.headers
    request.save(update_fields=["status", "body", "headers"])


def forget_answer_texts(organisation_id: UUID) -> None:
    """Empty the kept answers of an organisation's members: one may repeat a text that was erased just now (ACC-D36).

    That the requests were made stays known, so repeating one still changes nothing; it is answered without a body.
    Answers without headers are not of the API and hold counts only.
    """
    kept = IdempotentRequest.objects.filter(member__organisation=organisation_id)
    kept.exclude(body="").exclude(headers={}).update(body="")


def forget_old_requests() -> int:
    """Remove what is older than LIMITS.idempotency_hours; how many there were."""
    deleted, _by_model = IdempotentRequest.objects.filter(created_at__lt=_cutoff()).delete()
    return deleted


def _refuse_another(found: IdempotentRequest, fingerprint: str) -> None:
    if found.fingerprint != fingerprint:
        raise Invalid.at("Idempotency-Key", _("This key was used for another request. Take a new one."))


def _cutoff() -> Any:
    return timezone.now() - timedelta(hours=LIMITS.idempotency_hours)
