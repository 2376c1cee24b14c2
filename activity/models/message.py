"""Message: one entry of a conversation, in the shape of the OpenAI chat API; those of a run are its steps."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Person
from activity.models.conversation import Conversation
from activity.models.run import Run
from core.ids import new_id
from core.json_text import JsonText
from core.limits import LIMITS


class MessageRole(models.TextChoices):
    """Whose words it holds, as the chat API names them."""

    SYSTEM = "system", pgettext_lazy("role of a message", "Instructions")
    USER = "user", pgettext_lazy("role of a message", "Person")
    ASSISTANT = "assistant", pgettext_lazy("role of a message", "Agent")
    TOOL = "tool", pgettext_lazy("role of a message", "Tool")


class ToolOutcome(models.TextChoices):
    """How a tool call went; a blocked one was not executed, because the run was isolated (PL-22)."""

    OK = "ok", pgettext_lazy("outcome of a tool call", "Succeeded")
    FAILED = "failed", pgettext_lazy("outcome of a tool call", "Failed")
    BLOCKED = "blocked", pgettext_lazy("outcome of a tool call", "Blocked")


class Message(models.Model):
    """What was said, asked for or returned, at one place of a conversation.

    An assistant's `tool_calls` are objects with `id`, `name` and `arguments`: an object, or the text as it was sent
    where that is no JSON object. A tool's message names the call it answers by `tool_call_id`, the tool by `tool_name`,
    and says its `outcome`. Tokens, `cost` (USD) and `seconds` are those of this step, null where nobody said them.
    `author` is whose words a user's message holds. `run` is empty once retention removed the run.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="messages")
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=9, choices=MessageRole.choices)
    text = models.TextField(blank=True)
    tool_calls = JsonText(default=list)
    tool_call_id = models.CharField(max_length=LIMITS.external_id_characters, blank=True)
    tool_name = models.CharField(max_length=LIMITS.tool_name_characters, blank=True)
    outcome = models.CharField(max_length=7, choices=ToolOutcome.choices, blank=True)
    author = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    model = models.CharField(max_length=LIMITS.model_name_characters, blank=True)
    input_tokens = models.PositiveBigIntegerField(null=True)
    cached_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    seconds = models.FloatField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["conversation", "position"], name="message_has_its_own_place"),
            models.CheckConstraint(condition=Q(outcome="") | Q(role="tool"), name="only_a_tool_has_an_outcome"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def id_text(self) -> str:
        return str(self.pk)
