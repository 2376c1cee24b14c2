"""Conversation: what one person and an agent said to each other (PL-30)."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member, Organisation, Person, Visibility
from agents.models import Agent
from core.folding import fold
from core.ids import new_id
from core.limits import LIMITS


class Conversation(models.Model):
    """`owner` is the member who talks in the console; null where it arrived through the API or the member left.

    `person` is the member's or end user's person, null where nobody said who. `external_id` is an integrator's id of
    the conversation. `visibility` is private until its owner shares it; one without an owner is read with `runs:view`
    alone. `next_position` is the place of its next message, counted under the row's lock. `title_folded` is what the
    search in one's own conversations compares (BC-53).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="+")
    owner = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    external_id = models.CharField(max_length=LIMITS.external_id_characters, null=True, editable=False)
    title = models.CharField(_("title"), max_length=LIMITS.conversation_title_characters, blank=True)
    title_folded = models.CharField(
        max_length=LIMITS.conversation_title_characters * 4, blank=True, default="", editable=False
    )
    visibility = models.CharField(
        _("visibility"), max_length=12, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    next_position = models.PositiveIntegerField(default=1, editable=False)
    started_at = models.DateTimeField(default=timezone.now, editable=False)
    last_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            models.UniqueConstraint(
                fields=["agent", "external_id"],
                condition=Q(external_id__isnull=False),
                name="conversation_external_id_is_unique",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-last_at", "-id"], name="conversation_of_owner"),
            models.Index(fields=["organisation", "last_at"], name="conversation_by_age"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def save(self, *args: Any, **kwargs: Any) -> None:
        fields = kwargs.get("update_fields")
        if fields is None or "title" in fields:
            self.title_folded = fold(self.title)[: LIMITS.conversation_title_characters * 4]
            kwargs["update_fields"] = fields and {*fields, "title_folded"}
        super().save(*args, **kwargs)

    @property
    def id_text(self) -> str:
        return str(self.pk)
