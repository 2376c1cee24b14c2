"""Dataset: a named list of cases that changes in numbered versions."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.access import SharedQuerySet
from accounts.models import NamedResource


class Dataset(NamedResource):
    """The row that is locked while a version is made, so that numbers have no gaps (DS-D12).

    `newest_version` is 0 before the first change (DS-D7); `case_count` counts the cases of that version;
    `next_position` is the place of the next case (DS-D5); `text_removed_at` is when text of any of its cases was last
    replaced in place, which makes copies of an unsaved case from before it outdated (ACC-D37).
    """

    newest_version = models.PositiveIntegerField(default=0, editable=False)
    case_count = models.PositiveIntegerField(default=0, editable=False)
    next_position = models.PositiveBigIntegerField(default=1, editable=False)
    text_removed_at = models.DateTimeField(null=True, editable=False)

    objects = SharedQuerySet.as_manager()

    class Meta(NamedResource.Meta):
        verbose_name = _("dataset")
        verbose_name_plural = _("datasets")
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="dataset_has_a_name")]
        indexes = [models.Index(fields=["organisation", "-changed_at", "-id"], name="dataset_by_change")]
