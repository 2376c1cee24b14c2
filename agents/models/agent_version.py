"""AgentVersion: a published specification of an agent, which never changes."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from agents.models.agent import Agent
from core.ids import new_id
from core.json_text import JsonText


class AgentVersion(models.Model):
    """`spec` holds all that answers depend on, the text of skills too; `note` says in words what changed.

    `author` is null once the person was erased.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    spec = JsonText(default=dict)
    note = models.TextField(blank=True)
    author = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("agent version")
        verbose_name_plural = _("agent versions")
        constraints = [
            models.UniqueConstraint(fields=["agent", "number"], name="agent_version_number_is_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="agent_versions_count_from_one"),
        ]

    def __str__(self) -> str:
        return str(self.number)
