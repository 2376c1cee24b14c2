"""What the API takes and gives for the review queue (RV-D22, RV-D23)."""

from typing import Any

from rest_framework import serializers

from core.api.serializers import StrictSerializer, Text
from review.logic.queue import Sending
from review.operations.sending import Withdrawing


class ScoresIn(StrictSerializer):
    """Which scores, in the order in which they are sent."""

    score_ids = serializers.ListField(child=Text(), help_text="At most 500 ids of scores of this dataset.")


class SentOut(serializers.Serializer[Any]):
    """A score and what became of it."""

    score_id = serializers.UUIDField()
    result = serializers.ChoiceField([one.value for one in Sending])


class WithdrawnOut(serializers.Serializer[Any]):
    """A score and what became of it."""

    score_id = serializers.UUIDField()
    result = serializers.ChoiceField([one.value for one in Withdrawing])


class SentScoresOut(serializers.Serializer[Any]):
    """One entry for each id, in their order."""

    scores = SentOut(many=True)


class WithdrawnScoresOut(serializers.Serializer[Any]):
    """One entry for each id, in their order."""

    scores = WithdrawnOut(many=True)
