"""What the API gives for runs."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from activity.logic.chat_shape import chat_message
from activity.models import MessageRole, RunKind, RunRating, RunStatus, ToolOutcome
from core.api.pagination import KeysetQuery
from core.api.serializers import Moment
from core.limits import LIMITS


class RunQuery(KeysetQuery):
    """Which runs."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the question.")
    agent = serializers.UUIDField(required=False, help_text="The id of an agent.")
    kind = serializers.ChoiceField(RunKind.choices, required=False)
    status = serializers.ChoiceField(RunStatus.choices, required=False)
    rating = serializers.ChoiceField(RunRating.choices, required=False)
    since = Moment(required=False, help_text="Started at this moment or later.")
    until = Moment(required=False, help_text="Started before this moment.")


class RunAgentOut(serializers.Serializer[Any]):
    """The agent that ran; `version` is the published version, null where none is known."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)


class RunPersonOut(serializers.Serializer[Any]):
    """Who asked. `external_id` is an integrator's id of a person who is no member."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="__str__")
    external_id = serializers.CharField(allow_null=True)


class RunConversationOut(serializers.Serializer[Any]):
    """The conversation that the run belongs to."""

    id = serializers.UUIDField()
    external_id = serializers.CharField(allow_null=True)


class RunOut(serializers.Serializer[Any]):
    """A run. Tokens, `cost` (USD) and `seconds` are null where nobody said them; `question` is its beginning."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(RunKind.choices)
    status = serializers.ChoiceField(RunStatus.choices)
    agent = serializers.SerializerMethodField()
    person = RunPersonOut(allow_null=True)
    question = serializers.CharField(allow_blank=True)
    rating = serializers.ChoiceField(RunRating.choices, allow_null=True)
    model = serializers.CharField(allow_blank=True)
    steps = serializers.IntegerField(source="step_count")
    tool_calls = serializers.IntegerField(source="tool_call_count")
    input_tokens = serializers.IntegerField(allow_null=True)
    cached_tokens = serializers.IntegerField(allow_null=True)
    output_tokens = serializers.IntegerField(allow_null=True)
    cost = serializers.DecimalField(max_digits=18, decimal_places=10, allow_null=True, help_text="USD.")
    seconds = serializers.FloatField(allow_null=True)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(RunAgentOut(allow_null=True))
    def get_agent(self, run: Any) -> dict[str, Any] | None:
        return agent_of(run)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {"rating": shown["rating"] or None}


class FeedbackOut(serializers.Serializer[Any]):
    """What somebody thought of an answer."""

    rating = serializers.ChoiceField(RunRating.choices)
    comment = serializers.CharField(allow_blank=True)
    person = RunPersonOut(allow_null=True)
    created_at = serializers.DateTimeField()


class FunctionOut(serializers.Serializer[Any]):
    """The tool that is called; `arguments` is text as the agent sent it, JSON as a rule."""

    name = serializers.CharField()
    arguments = serializers.CharField(allow_blank=True)


class RunToolCallOut(serializers.Serializer[Any]):
    """A tool call in the shape of the chat API."""

    id = serializers.CharField(allow_blank=True)
    type = serializers.ChoiceField(["function"])
    function = FunctionOut()


class RunMessageOut(serializers.Serializer[Any]):
    """A message in the shape of the OpenAI chat API, and what is known of it besides."""

    id = serializers.UUIDField()
    role = serializers.ChoiceField(MessageRole.choices)
    content = serializers.CharField(allow_blank=True)
    tool_calls = RunToolCallOut(many=True, required=False)
    tool_call_id = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(required=False, allow_blank=True, help_text="The tool.")
    outcome = serializers.ChoiceField(ToolOutcome.choices, required=False, help_text="How the tool call went.")
    model = serializers.CharField(allow_blank=True)
    input_tokens = serializers.IntegerField(allow_null=True)
    cached_tokens = serializers.IntegerField(allow_null=True)
    output_tokens = serializers.IntegerField(allow_null=True)
    cost = serializers.DecimalField(max_digits=18, decimal_places=10, allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    created_at = serializers.DateTimeField()
    feedback = FeedbackOut(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        own = ("id", "model", "input_tokens", "cached_tokens", "output_tokens", "cost", "seconds", "created_at")
        values = {name: getattr(instance, name) for name in own}
        shown = {
            name: None if value is None else self.fields[name].to_representation(value)
            for name, value in values.items()
        }
        outcome = {"outcome": instance.outcome} if instance.outcome else {}
        ratings = self.fields["feedback"].to_representation(instance.feedback.all())
        return {"id": shown.pop("id"), **chat_message(instance), **outcome, **shown, "feedback": ratings}


class RunDetailOut(RunOut):
    """A run with its messages in order: the question, and every step. A helper's run keeps none."""

    error = serializers.CharField(allow_blank=True)
    conversation = RunConversationOut(allow_null=True)
    trace_id = serializers.CharField(allow_null=True)
    messages = RunMessageOut(many=True, source="told")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {"trace_id": shown["trace_id"] or None}


def agent_of(run: Any) -> dict[str, Any] | None:
    """The agent of a run as JSON."""
    if run.agent is None:
        return None
    version = run.agent_version.number if run.agent_version else None
    return {"id": str(run.agent.pk), "name": run.agent.name, "version": version}
