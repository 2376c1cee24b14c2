"""Which API keys somebody may know of."""

from accounts.actor import Actor
from accounts.models.api_key import ApiKey, ApiKeyQuerySet


def visible_keys(actor: Actor) -> ApiKeyQuerySet:
    """One's own, or everybody's with `members:manage`; revoked and expired ones too, with who issued each."""
    return ApiKey.objects.visible_to(actor)
