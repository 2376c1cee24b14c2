"""Dataset: a named list of cases that changes in numbered versions."""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.access import SharedQuerySet
from accounts.models import SharedResource
from core.ids import new_id
from core.limits import LIMITS
from datasets.logic.folding import fold


class Dataset(SharedResource):
    """The row that is locked while a version is made, so that numbers have no gaps (DS-D12).

    `newest_version` is 0 before the first change (DS-D7); `case_count` counts the cases of that version;
    `next_position` is the place of the next case (DS-D5); `name_folded` is what search and the warning about equal
    names compare; `text_removed_at` is when text of any of its cases was last replaced in place, which makes copies of
    an unsaved case from before it outdated (ACC-D37).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    name_folded = models.CharField(max_length=LIMITS.name_characters * 4, editable=False)
    description = models.TextField(_("description"), blank=True)
    newest_version = models.PositiveIntegerField(default=0, editable=False)
    case_count = models.PositiveIntegerField(default=0, editable=False)
    next_position = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)
    text_removed_at = models.DateTimeField(null=True, editable=False)

    objects = SharedQuerySet.as_manager()

    class Meta(SharedResource.Meta):
        verbose_name = _("dataset")
        verbose_name_plural = _("datasets")
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="dataset_has_a_name")]
        indexes = [models.Index(fields=["organisation", "-changed_at", "-id"], name="dataset_by_change")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_folded = fold(self.name)[: LIMITS.name_characters * 4]
        super().save(*args, **kwargs)
