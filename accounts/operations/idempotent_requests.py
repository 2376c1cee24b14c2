"""Writes that are sent twice: the first answer is kept beside what it changed, and given again (PL-42)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.models import IdempotentRequest
from core.encryption import decrypt, encrypt
from core.errors import Invalid
from core.limits import LIMITS


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
    if found.fingerprint != fingerprint:
        raise Invalid.at("Idempotency-Key", _("This key was used for another request. Take a new one."))
    # Only this transaction can see a row without a status: it is written before the transaction ends.
    if found.status is None:
        return found
    return FirstAnswer(found.status, decrypt(found.body) if found.body else "", found.headers)


def is_answered(actor: Actor, *, key: str, fingerprint: str) -> bool:
    """Whether a request with the key was answered; raises Invalid at `Idempotency-Key` where it was another one."""
    mine = IdempotentRequest.objects.filter(member=actor.member, key=key, created_at__gte=_cutoff())
    found = mine.values_list("fingerprint", "status").first()
    if found is not None and found[0] != fingerprint:
        raise Invalid.at("Idempotency-Key", _("This key was used for another request. Take a new one."))
    return found is not None and found[1] is not None


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


def _cutoff() -> Any:
    return timezone.now() - timedelta(hours=LIMITS.idempotency_hours)
