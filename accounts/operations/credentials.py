"""Recognising an API key and noting that it was used (PL-7)."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import ApiKey
from accounts.operations.api_keys import hash_of_key

NOTED_EVERY = timedelta(minutes=1)


def recognise_key(raw: str) -> ApiKey | None:
    """The usable key of this secret with its member and organisation, or None; one query.

    Its last use is noted at most once a minute, so that reading through the API does not write with every request.
    """
    keys = ApiKey.objects.usable().select_related("member__user", "member__organisation")
    key = keys.filter(key_hash=hash_of_key(raw)).first()
    if key is not None:
        _note_use(key)
    return key


def _note_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is not None and key.last_used_at > now - NOTED_EVERY:
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
    ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
    key.last_used_at = now
