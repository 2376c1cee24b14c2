"""What the API gives and takes for versions: the changes between two of them, and going back to one."""

from typing import Any

from rest_framework import serializers

from core.api.pagination import NumberedQuery
from core.api.serializers import StrictSerializer, WholeNumber
from datasets.api.shapes import CaseOut
from datasets.logic.drafts import FIELDS
from datasets.queries.version_changes import ChangeKind

KINDS = [kind.value for kind in ChangeKind]


class ChangesQuery(NumberedQuery):
    """Since which version, and which changes."""

    since = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="The version before when left out; 0 is the dataset before its first change. It may be newer.",
    )
    change = serializers.ChoiceField(KINDS, required=False, help_text="One kind of change alone.")


class ChangedCaseOut(serializers.Serializer[Any]):
    """A case that differs, in both versions as the caller may see it; null where a version does not hold it.

    `fields` are those that differ. `hidden_text_differs` says that text which is hidden from the caller differs too.
    """

    case_id = serializers.UUIDField(source="shown.id")
    change = serializers.ChoiceField(KINDS, source="kind")
    fields = serializers.ListField(child=serializers.ChoiceField(FIELDS))  # type: ignore[assignment]
    hidden_text_differs = serializers.BooleanField(source="hidden_differs")
    before = CaseOut(allow_null=True)
    after = CaseOut(allow_null=True)


class ChangesOut(serializers.Serializer[Any]):
    """How many cases differ and how many are the same, and a page of those that differ, in the order of the cases."""

    since = serializers.IntegerField()
    version = serializers.IntegerField()
    added = serializers.IntegerField()
    edited = serializers.IntegerField()
    removed = serializers.IntegerField()
    same = serializers.IntegerField()
    results = ChangedCaseOut(many=True)
    total = serializers.IntegerField()
    page = serializers.IntegerField()
    page_size = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class RestoreIn(StrictSerializer):
    """Nothing, or the newest version that the decision was made on."""

    base_version = WholeNumber(
        required=False, min_value=1, help_text="Refuse with `version_changed` where another version is the newest."
    )
