"""Person: a data subject of an organisation, to whom words are attributed."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models.member import Member
from accounts.models.organisation import Organisation
from core.ids import new_id
from core.limits import LIMITS


class Person(models.Model):
    """A member, or an end user of an agent known only by the external id that an integrator sends."""

    audit_label = ""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="persons")
    member = models.OneToOneField(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="person")
    external_id = models.CharField(max_length=LIMITS.external_id_characters, null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("persons")
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "external_id"],
                condition=models.Q(external_id__isnull=False),
                name="person_external_id_is_unique",
            ),
            models.CheckConstraint(
                condition=models.Q(member__isnull=False)
                | models.Q(external_id__isnull=False)
                | models.Q(erased_at__isnull=False),
                name="person_is_known_by_something",
            ),
        ]

    def __str__(self) -> str:
        if self.erased_at:
            return gettext("Erased person")
        return str(self.member) if self.member else str(self.external_id)
