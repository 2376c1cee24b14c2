"""PersonRequest: an erasure or a data export of one person, asked for, carried out by a job, reported in counts."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.member import Member
from accounts.models.organisation import Organisation
from accounts.models.person import Person
from core.ids import new_id

if TYPE_CHECKING:
    from accounts.actor import Actor


class PersonRequestQuerySet(models.QuerySet["PersonRequest"]):
    """Questions about requests."""

    def of(self, actor: "Actor") -> Self:
        return self.filter(organisation_id=actor.organisation_id)


class PersonRequest(models.Model):
    """`report` counts what was reached, by name of the handler; `content` is a finished export's encrypted JSON."""

    class Kind(models.TextChoices):
        ERASURE = "erasure", _("Erasure")
        EXPORT = "export", _("Data export")

    audit_label = ""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="requests")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    asked_by = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    report = models.JSONField(default=dict)
    content = models.TextField(blank=True, editable=False)

    objects = PersonRequestQuerySet.as_manager()

    class Meta:
        verbose_name = _("request about a person")
        verbose_name_plural = _("requests about persons")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.pk})"
