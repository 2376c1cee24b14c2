"""Member: a user's membership in one organisation, with one role."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.access import may
from accounts.models.organisation import Organisation
from accounts.models.user import User
from accounts.permissions import ROLE_LABELS, Permission, Role
from core.ids import new_id

if TYPE_CHECKING:
    from accounts.actor import Actor


class MemberQuerySet(models.QuerySet["Member"]):
    """Questions about members."""

    def active(self) -> Self:
        """Those who have not left and whose login works."""
        return self.filter(left_at=None, user__is_active=True)

    def of(self, actor: "Actor") -> Self:
        """Those of the actor's organisation."""
        return self.filter(organisation_id=actor.organisation_id)

    def known_to(self, actor: "Actor") -> Self:
        """Those of the actor's organisation; its own member alone for a restricted key that does not manage members."""
        mine = self.of(actor)
        if actor.key is None or actor.key.permissions is None or may(actor, Permission.MEMBERS_MANAGE):
            return mine
        return mine.filter(pk=actor.key.member_id)

    def owners(self) -> Self:
        return self.active().filter(role=Role.OWNER)


class Member(models.Model):
    """Kept after leaving, since versions and audit entries name it; `left_at` says that it no longer counts.

    Erasing the person behind it points `user` at a login without name, so that every name shown through the member
    goes at once (ACC-D36).
    """

    audit_label = ""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=[(role.value, ROLE_LABELS[role]) for role in Role])
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    left_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = MemberQuerySet.as_manager()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [models.UniqueConstraint(fields=["organisation", "user"], name="member_is_once_in_organisation")]

    def __str__(self) -> str:
        return str(self.user)

    @property
    def is_active(self) -> bool:
        return self.left_at is None and self.user.is_active

    @property
    def role_label(self) -> str:
        return str(ROLE_LABELS[Role(self.role)])
