"""DatasetVersion: one numbered change of a dataset, which never changes afterwards (DS-54, DS-55)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from datasets.models.dataset import Dataset


class VersionKind(models.TextChoices):
    """What made a version: the acts of DS-53 and going back (DS-D16)."""

    ADDED = "added", _("Case added")
    EDITED = "edited", _("Case edited")
    DELETED = "deleted", _("Cases deleted")
    IMPORTED = "imported", _("Imported from a file")
    ACCEPTED = "accepted", _("Proposals accepted")
    RESTORED = "restored", _("Version restored")


class DatasetVersion(models.Model):
    """The change in numbers. Its cases are the revisions whose interval holds `number`: see CaseRevision.

    `restored_from` is the version that a restore went back to. `author` is null once the person was erased.
    `text_removed_at` is when text of its cases was last replaced in place: by an erasure, or because somebody removed a
    case's text from every version (ACC-D29).
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    author = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=10, choices=VersionKind.choices)
    added = models.PositiveIntegerField(default=0)
    edited = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    case_count = models.PositiveIntegerField()
    restored_from = models.PositiveIntegerField(null=True)
    text_removed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        constraints = [
            models.UniqueConstraint(fields=["dataset", "number"], name="version_number_is_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="versions_count_from_one"),
            models.CheckConstraint(
                condition=models.Q(added__gt=0) | models.Q(edited__gt=0) | models.Q(removed__gt=0),
                name="version_changes_something",
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)

    @property
    def revisions_stored(self) -> int:
        """What the version costs: a removed case stores nothing (DS-67 to DS-69)."""
        return self.added + self.edited
