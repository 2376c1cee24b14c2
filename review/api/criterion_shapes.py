"""What the API takes and gives where a note becomes a criterion (RV-D36, RV-D38)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Choice, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from review.models import Scope
from review.operations.criteria import CriterionMade
from scoring.api.settings_shapes import ScoringOut, WarningOut
from scoring.queries.grading_warnings import warnings_of


class NoteCriterionIn(StrictSerializer):
    """A criterion of the judge: a `judge` check of the score's case, or one of the rubric for every case."""

    scope = Choice(Scope.choices)
    criterion = Text(
        help_text=f"At most {LIMITS.criterion_characters} characters, best a question; credentials in it are hidden."
    )
    case_revision = WholeNumber(
        required=False,
        allow_null=True,
        min_value=1,
        help_text="With `case`: refuse with `case_changed` where the case has another `revision` by now.",
    )


class CriterionMadeOut(serializers.Serializer[Any]):
    """Where the criterion stands now.

    `added` is false where there was one of these words already. `version` is the dataset's version with the criterion
    of the case, null for the rubric; `scoring` are the settings with the criterion of the rubric, null for the case.
    """

    score_id = serializers.UUIDField(source="made.score_id")
    case_id = serializers.UUIDField(source="made.score.case_id")
    scope = serializers.ChoiceField(Scope.choices, source="made.scope")
    criterion = serializers.CharField(source="made.criterion")
    added = serializers.BooleanField()
    credentials_hidden = serializers.IntegerField(source="hidden")
    version = serializers.IntegerField(allow_null=True)
    scoring = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()

    @extend_schema_field(ScoringOut(allow_null=True))
    def get_scoring(self, done: CriterionMade) -> Any:
        return None if done.version else ScoringOut((done.made.score.dataset, done.settings)).data

    @extend_schema_field(WarningOut(many=True))
    def get_warnings(self, done: CriterionMade) -> Any:
        return [vars(one) for one in warnings_of(done.made.score.dataset, done.settings.settings)]
