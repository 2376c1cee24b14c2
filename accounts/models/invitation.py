"""Invitation: a link that lets somebody join an organisation, once and for seven days (PL-1)."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.member import Member
from accounts.models.organisation import Organisation
from accounts.permissions import ROLE_LABELS, Role
from core.ids import new_id
from core.limits import LIMITS

if TYPE_CHECKING:
    from accounts.actor import Actor


def expiry() -> datetime:
    return timezone.now() + timedelta(days=LIMITS.invitation_days)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Questions about invitations."""

    def of(self, actor: "Actor") -> Self:
        return self.filter(organisation_id=actor.organisation_id)

    def open(self) -> Self:
        """Those that still let somebody in."""
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())

    def newest_first(self) -> Self:
        return self.select_related("invited_by__user").order_by("-created_at", "-pk")


class Invitation(models.Model):
    """The link's secret is stored hashed; `email` is who it was made for, empty once that person is erased."""

    audit_label = ""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail"), blank=True)
    role = models.CharField(_("role"), max_length=10, choices=[(role.value, ROLE_LABELS[role]) for role in Role])
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(default=expiry)
    accepted_at = models.DateTimeField(null=True, blank=True, editable=False)
    accepted_by = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return self.email

    @property
    def state(self) -> str:
        """`open`, `accepted`, `revoked` or `expired`, in that order of what is said first."""
        if self.accepted_at:
            return "accepted"
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at <= timezone.now() else "open"
