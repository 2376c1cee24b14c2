"""ApiKey: a credential of the API that acts as the member who issued it (PL-7)."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.access import may
from accounts.models.member import Member
from accounts.permissions import Permission
from core.ids import new_id
from core.limits import LIMITS

if TYPE_CHECKING:
    from accounts.actor import Actor


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Questions about keys."""

    def of(self, actor: "Actor") -> Self:
        return self.filter(member__organisation_id=actor.organisation_id)

    def usable(self) -> Self:
        """Neither revoked nor expired, and issued by a member who is still active."""
        now = timezone.now()
        return self.filter(
            Q(expires_at=None) | Q(expires_at__gt=now),
            revoked_at=None,
            member__left_at=None,
            member__user__is_active=True,
        )

    def visible_to(self, actor: "Actor") -> Self:
        """One's own; all for who manages members; only itself for a key that is restricted and does not."""
        mine = self.of(actor).select_related("member__user")
        if may(actor, Permission.MEMBERS_MANAGE):
            return mine
        if actor.key is not None and actor.key.permissions is not None:
            return mine.filter(pk=actor.key.pk)
        return mine.filter(member_id=actor.member_id)


class ApiKey(models.Model):
    """The key itself is shown once; `prefix` stays visible and `key_hash` (SHA-256 of the whole key) finds it.

    `permissions` is a list of permission names the key is restricted to, or null for all that the issuer has.
    `issued_through` is the key that asked for this one: whoever revokes it revokes what it made as well.
    """

    audit_label = ""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(_("name"), max_length=LIMITS.name_characters, blank=True)
    prefix = models.CharField(max_length=16, editable=False)
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    permissions = models.JSONField(null=True, blank=True)
    issued_through = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="issued")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
