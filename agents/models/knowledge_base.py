"""KnowledgeBase: documents that agents look things up in (PL-24)."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.access import SharedQuerySet
from accounts.models import NamedResource


class KnowledgeBase(NamedResource):
    """The row that is locked while documents come and go; the two counts are kept up with them.

    Agents name it by its id and read it as it is on the day, also those of versions published before a change.
    """

    permission_noun: ClassVar[str] = "knowledge"

    document_count = models.PositiveIntegerField(default=0, editable=False)
    passage_count = models.PositiveIntegerField(default=0, editable=False)

    objects = SharedQuerySet.as_manager()

    class Meta(NamedResource.Meta):
        verbose_name = _("knowledge base")
        verbose_name_plural = _("knowledge bases")
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="knowledge_base_has_a_name")]
        indexes = [models.Index(fields=["organisation", "-changed_at", "-id"], name="knowledge_base_by_change")]
