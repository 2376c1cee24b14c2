"""Skill: named Markdown instructions that agents take on (PL-24)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.access import SharedQuerySet
from accounts.models import NamedResource


class Skill(NamedResource):
    """`revision` counts every change up, so that two editors do not overwrite each other.

    A published version of an agent holds its own copy of the name and the text and never changes with it.
    """

    text = models.TextField(_("instructions"))
    revision = models.PositiveIntegerField(default=1, editable=False)

    objects = SharedQuerySet.as_manager()

    class Meta(NamedResource.Meta):
        verbose_name = _("skill")
        verbose_name_plural = _("skills")
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="skill_has_a_name")]
        indexes = [models.Index(fields=["organisation", "-changed_at", "-id"], name="skill_by_change")]
