"""What the API gives for conversations and ratings, and what it takes."""

from typing import Any

from rest_framework import serializers

from accounts.api.serializers import MemberRef
from accounts.models import Visibility
from activity.api.run_shapes import RunMessageOut, RunOut
from activity.models import RunRating
from core.api.pagination import KeysetQuery
from core.api.serializers import Choice, StrictSerializer, Text
from core.limits import LIMITS


class ConversationQuery(KeysetQuery):
    """Which conversations."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the title.")
    agent = serializers.UUIDField(required=False, help_text="The id of an agent.")


class ConversationAgentOut(serializers.Serializer[Any]):
    """The agent that answers."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class ConversationOut(serializers.Serializer[Any]):
    """A conversation. `owner` is null where it did not take place in the console or through this API."""

    id = serializers.UUIDField()
    title = serializers.CharField(allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices)
    agent = ConversationAgentOut(allow_null=True)
    owner = MemberRef(allow_null=True)
    external_id = serializers.CharField(allow_null=True)
    started_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class ConversationDetailOut(ConversationOut):
    """A conversation with its newest messages in order; `earlier` says whether there are more before them."""

    messages = RunMessageOut(many=True, source="told")
    earlier = serializers.BooleanField(source="has_earlier")


class ConversationPatch(StrictSerializer):
    """What may be changed of one's own conversation; what is left out stays."""

    title = Text(max_length=LIMITS.conversation_title_characters, trim_whitespace=True, required=False)
    visibility = Choice(Visibility.choices, required=False)


class QuestionIn(StrictSerializer):
    """What is asked."""

    input = Text(max_length=LIMITS.chat_characters)


class ConversationIn(QuestionIn):
    """Whom to ask what."""

    agent = serializers.UUIDField()


class ConversationRunOut(RunOut):
    """The run that answered; `error` says in words why it did not complete."""

    error = serializers.CharField(allow_blank=True)


class AnsweredOut(serializers.Serializer[Any]):
    """The answer to a question: how its run went, and the question with every step that followed."""

    conversation = ConversationOut()
    run = ConversationRunOut()
    messages = RunMessageOut(many=True)


class RatingIn(StrictSerializer):
    """What you think of an answer."""

    rating = Choice(RunRating.choices)
    comment = Text(max_length=LIMITS.note_characters, allow_blank=True, required=False)


class RatingOut(serializers.Serializer[Any]):
    """Your rating; `message` is the answer's last step, where it stands."""

    message = serializers.UUIDField(source="message_id")
    rating = serializers.ChoiceField(RunRating.choices)
    comment = serializers.CharField(allow_blank=True)
    changed_at = serializers.DateTimeField()
