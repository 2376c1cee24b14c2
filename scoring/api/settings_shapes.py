"""What the API gives and takes for the grading settings of a dataset."""

from typing import Any

from rest_framework import serializers

from core.api.serializers import Choice, Flag, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from scoring.logic.settings import REVIEW_BY_PERSON
from scoring.queries.grading_warnings import warnings_of

MUST_PASS = "Whether a case fails when this evaluator fails. One without it never changes the outcome of a case."  # noqa: S105
REVIEW = "Which scores asked for by hand a person looks at."


class SwitchesIn(StrictSerializer):
    """An evaluator: whether it is on, and whether its failing makes the case fail."""

    enabled = Flag(required=False)
    must_pass = Flag(required=False, help_text=MUST_PASS)


class ChecksIn(SwitchesIn):
    """The rules; `defaults` are those that every case receives, of the types of a case's own except `judge`."""

    defaults = serializers.ListField(child=serializers.DictField(), required=False, max_length=LIMITS.default_checks)


class CriterionIn(StrictSerializer):
    """A criterion. Send `id` back to rename it without losing its history; leave it out for a new one."""

    id = Text(required=False, allow_null=True, allow_blank=True)
    name = Text(max_length=LIMITS.criterion_name_characters)
    criterion = Text(max_length=LIMITS.criterion_characters)
    required = Flag(required=False, help_text="A criterion that is not required only moves the number.")  # type: ignore[assignment]


class JudgeIn(SwitchesIn):
    """The judge: `agent` is the id of a judge agent, null for the built-in one, which asks `model`."""

    agent = serializers.UUIDField(required=False, allow_null=True)
    model = serializers.UUIDField(required=False, allow_null=True)
    instructions = Text(required=False, allow_blank=True, max_length=LIMITS.judge_instructions_characters)
    criteria = serializers.ListField(child=CriterionIn(), required=False, max_length=LIMITS.criteria)
    scale = WholeNumber(required=False, min_value=2, max_value=LIMITS.scale)
    pass_at = WholeNumber(required=False, min_value=2, max_value=LIMITS.scale, help_text="At most the scale.")


class WarningOut(serializers.Serializer[Any]):
    """Something about the settings that is worth knowing and no reason to refuse them."""

    code = serializers.ChoiceField(["no_model", "nothing_must_pass", "judge_off", "unchecked_cases"])
    field = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ScoringIn(StrictSerializer):
    """What to change; what is left out keeps its value at any depth, and a list replaces the stored list.

    `warnings` of an answer may be sent back and are not read.
    """

    checks = ChecksIn(required=False)
    tool_calls = SwitchesIn(required=False)
    judge = JudgeIn(required=False)
    reference_answer = SwitchesIn(required=False)
    review_by_person = Choice(REVIEW_BY_PERSON, required=False, help_text=REVIEW)
    revision = WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        help_text="Refuse with `settings_changed` and the settings of now where they have another `revision`.",
    )
    warnings = serializers.ListField(child=serializers.DictField(), required=False)


class SwitchesOut(serializers.Serializer[Any]):
    """An evaluator: whether it is on, and whether its failing makes the case fail."""

    enabled = serializers.BooleanField()
    must_pass = serializers.BooleanField(help_text=MUST_PASS)


class ChecksOut(SwitchesOut):
    """The rules, and those that every case receives."""

    defaults = serializers.ListField(child=serializers.DictField())


class CriterionOut(serializers.Serializer[Any]):
    """A criterion of the judge."""

    id = serializers.CharField()
    name = serializers.CharField()
    criterion = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]


class JudgeOut(SwitchesOut):
    """The judge, what it is told and asked, and the grade from which a criterion passes."""

    agent = serializers.UUIDField(allow_null=True)
    model = serializers.UUIDField(allow_null=True)
    instructions = serializers.CharField(allow_blank=True)
    criteria = CriterionOut(many=True)
    scale = serializers.IntegerField()
    pass_at = serializers.IntegerField()


class SettingsOut(serializers.Serializer[Any]):
    """How the answers of a dataset are graded."""

    checks = ChecksOut()
    tool_calls = SwitchesOut()
    judge = JudgeOut()
    reference_answer = SwitchesOut()
    review_by_person = serializers.ChoiceField(REVIEW_BY_PERSON, help_text=REVIEW)


class ScoringOut(SettingsOut):
    """How the answers of a dataset are graded now. `revision` counts savings, 0 until there was one."""

    revision = serializers.IntegerField()
    warnings = WarningOut(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        dataset, found = instance
        warnings = [vars(warning) for warning in warnings_of(dataset, found.settings)]
        return {**found.stored, "revision": found.revision, "warnings": warnings}
