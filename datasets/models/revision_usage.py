"""RevisionUsage: how many case revisions an organisation's datasets hold together (DS-70, DS-D12)."""

from django.db import models

from accounts.models import Organisation


class RevisionUsage(models.Model):
    """One row an organisation, changed in the transaction of each change, so two imports cannot both pass the limit."""

    organisation = models.OneToOneField(
        Organisation, on_delete=models.CASCADE, primary_key=True, related_name="revision_usage"
    )
    revisions = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(revisions__gte=0), name="usage_is_not_negative")]

    def __str__(self) -> str:
        return str(self.revisions)
