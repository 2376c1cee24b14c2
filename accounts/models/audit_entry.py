"""AuditEntry: who did what to which object, when and from where; never any content (PL-8)."""

from typing import TYPE_CHECKING, Any, NoReturn, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.api_key import ApiKey
from accounts.models.member import Member
from accounts.models.organisation import Organisation
from core.limits import LIMITS

if TYPE_CHECKING:
    from accounts.actor import Actor


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Entries can be read and added, not changed or removed."""

    def of(self, actor: "Actor") -> Self:
        return self.filter(organisation_id=actor.organisation_id)

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("the audit log is append-only")

    def delete(self) -> NoReturn:
        raise TypeError("the audit log is append-only")


class AuditEntry(models.Model):
    """One line. `details` holds counts and names of changed fields; `object_label` the name of the object then."""

    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="audit_entries")
    at = models.DateTimeField(default=timezone.now, editable=False)
    member = models.ForeignKey(Member, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False)
    api_key = models.ForeignKey(ApiKey, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False)
    action = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=40, blank=True)
    object_label = models.CharField(max_length=LIMITS.name_characters, blank=True)
    address = models.CharField(max_length=45, blank=True)
    details = models.JSONField(default=dict)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        indexes = [
            models.Index(fields=["organisation", "-at", "-id"], name="audit_by_time"),
            models.Index(fields=["organisation", "action", "-at", "-id"], name="audit_by_action"),
            models.Index(fields=["organisation", "object_id"], name="audit_by_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_label}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("the audit log is append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("the audit log is append-only")
