"""TraceSpan: a span of OpenTelemetry that waits until the run it belongs to is whole (PL-33)."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Organisation
from activity.models.run import Run
from agents.models import Agent
from core.ids import new_id
from core.json_text import JsonText
from core.limits import LIMITS


class TraceSpan(models.Model):
    """Kept for LIMITS.span_hours, since the spans of a trace come in any order and in several requests.

    `content` is what the run is made of, empty for a span that only links others to their outermost. `agent` is the
    agent it names and its sender may run. `run` is what it went into; `is_settled` says that nothing is to be done
    about it, until another span of its trace comes. `person_external_id` is whose words it may hold.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+", db_index=False)
    trace_id = models.CharField(max_length=32)
    span_id = models.CharField(max_length=16)
    parent_id = models.CharField(max_length=16, blank=True)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, null=True, related_name="+")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, null=True, related_name="spans")
    person_external_id = models.CharField(max_length=LIMITS.external_id_characters, blank=True)
    is_settled = models.BooleanField(default=False)
    started_ns = models.BigIntegerField()
    ended_ns = models.BigIntegerField()
    content = JsonText(default=dict)
    received_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("span")
        verbose_name_plural = _("spans")
        constraints = [
            models.UniqueConstraint(fields=["organisation", "trace_id", "span_id"], name="span_once_a_trace"),
        ]
        indexes = [
            models.Index(fields=["received_at"], name="span_by_age"),
            models.Index(fields=["received_at"], condition=Q(is_settled=False), name="span_to_settle"),
        ]

    def __str__(self) -> str:
        return f"{self.trace_id} {self.span_id}"
