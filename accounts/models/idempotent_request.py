"""IdempotentRequest: the first answer to a write with an `Idempotency-Key`, given again when it is repeated (PL-42)."""

from django.db import models
from django.utils import timezone

from accounts.models.member import Member
from core.limits import LIMITS


class IdempotentRequest(models.Model):
    """One key of one member. Written in the same transaction as what the request changed, so both exist or neither.

    `fingerprint` is the SHA-256 of method, path and body: the same key with another request is refused.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=LIMITS.idempotency_key_characters)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(blank=True)
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member", "key"], name="idempotency_key_is_unique")]

    def __str__(self) -> str:
        return self.key
