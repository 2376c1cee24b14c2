"""Feedback: what one person thought of one answer: a thumb up or down, with a comment (PL-30, PL-32)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from activity.models.message import Message
from activity.models.run import RunRating
from core.ids import new_id


class Feedback(models.Model):
    """One a person and message; a later one takes its place. `person` is null where an integrator named nobody, or the
    person was erased."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="feedback")
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    rating = models.CharField(_("rating"), max_length=4, choices=RunRating.choices)
    comment = models.TextField(_("comment"), blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        constraints = [
            models.UniqueConstraint(fields=["message", "person"], name="feedback_once_a_person"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
