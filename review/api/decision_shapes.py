"""What the API takes and gives for decisions (RV-D29, RV-D30)."""

from typing import Any

from rest_framework import serializers

from accounts.api.serializers import MemberRef
from core.api.serializers import Choice, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from review.logic.queue import Sending
from review.models import Entry, Leaving, Ruling
from scoring.api.score_shapes import HIDDEN
from scoring.models import ScoreOutcome

OUTCOMES = ScoreOutcome.choices
STATUSES = ["waiting", "decided"]
REVISION = "The number of acts on this score that you have seen: 0 before the first decision."


class DecisionIn(StrictSerializer):
    """A ruling on one score."""

    decision = Choice(Ruling.choices)
    note = Text(
        required=False,
        allow_blank=True,
        help_text=f"At most {LIMITS.review_note_characters} characters; credentials in it are hidden.",
    )
    revision = WholeNumber(required=False, min_value=0, help_text=f"{REVISION} 0 when left out.")


class DecisionQuery(StrictSerializer):
    """Which decision is withdrawn."""

    revision = serializers.IntegerField(
        required=False, min_value=0, help_text=f"{REVISION} Whichever decision holds when left out."
    )


class DecisionOut(serializers.Serializer[Any]):
    """One act on a score: a decision, or with null the withdrawal of the one before it.

    `automatic` is what grading had found at that moment, null while it was still being graded. `decided_by` is null
    once that person is erased.
    """

    revision = serializers.IntegerField()
    decision = serializers.ChoiceField(Ruling.choices, source="ruling", allow_null=True)
    automatic = serializers.ChoiceField(OUTCOMES, allow_null=True)
    note = serializers.SerializerMethodField(help_text=HIDDEN)
    decided_by = MemberRef(source="by", allow_null=True)
    decided_at = serializers.DateTimeField(source="at")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {name: shown[name] or None for name in ("decision", "automatic")}

    def get_note(self, shown: Any) -> str | None:
        return shown.note if shown.is_readable else None


class StayOut(serializers.Serializer[Any]):
    """A time that the score waited for a person. `sent_by` is null where no person sent it, or once they are erased."""

    entered_at = serializers.DateTimeField()
    entered_because = serializers.ChoiceField(Entry.choices, source="entry")
    sent_by = MemberRef(source="by", allow_null=True)
    left_at = serializers.DateTimeField(allow_null=True)
    left_because = serializers.ChoiceField(Leaving.choices, source="leaving", allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {"left_because": shown["left_because"] or None}


class ScoreReviewOut(serializers.Serializer[Any]):
    """What people ruled on a score.

    `outcome` is what grading found and stays whatever is decided, `final_outcome` is what counts; null while it is
    being graded. `review` is `waiting` while it waits for a person, `decided` while a decision holds, else null.
    `revision` is what the next decision names. `history` holds every act and `stays` every time that it waited, the
    newest first.
    """

    score_id = serializers.UUIDField(source="score.pk")
    outcome = serializers.ChoiceField(OUTCOMES, source="score.outcome", allow_null=True)
    final_outcome = serializers.ChoiceField(OUTCOMES, source="score.final_outcome", allow_null=True)
    review = serializers.ChoiceField(STATUSES, source="status", allow_null=True)
    revision = serializers.IntegerField()
    decision = DecisionOut(allow_null=True)
    history = DecisionOut(many=True)
    stays = StayOut(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {name: shown[name] or None for name in ("outcome", "final_outcome", "review")}


class DecidedOut(ScoreReviewOut):
    """The score after the decision. `credentials_hidden` counts the values that were hidden in the note."""

    credentials_hidden = serializers.IntegerField()


class DecisionWithdrawnOut(ScoreReviewOut):
    """The score after the withdrawal. `result` says whether it waits for review now, or another answer of its case and
    agent keeps the place."""

    result = serializers.ChoiceField([Sending.WAITING.value, Sending.OUTRANKED.value])
