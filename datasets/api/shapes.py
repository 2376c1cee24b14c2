"""What the API gives for datasets, versions and cases, and what it takes."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.models import Visibility
from core.api.pagination import KeysetQuery, NumberedQuery
from core.api.serializers import Choice, Flag, StrictSerializer, Text
from core.limits import LIMITS
from datasets.logic.conversations import ROLES
from datasets.logic.drafts import EXPECTATIONS, ORDER_MODES
from datasets.models import Source, VersionKind
from datasets.queries.answers import KEPT_AS
from datasets.queries.seen_cases import SeenCase


class AuthorOut(serializers.Serializer[Any]):
    """A member, by name."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="*")


class DatasetIn(StrictSerializer):
    """A new dataset."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True)
    description = Text(max_length=LIMITS.description_characters, allow_blank=True, required=False)
    visibility = Choice(Visibility.choices, required=False)


class DatasetPatch(DatasetIn):
    """What may be changed of a dataset; what is left out stays."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)


class DatasetOut(serializers.Serializer[Any]):
    """A dataset. `version` is the number of its newest version, null before the first change."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    visibility = serializers.ChoiceField(Visibility.choices)
    owner = AuthorOut()
    version = serializers.SerializerMethodField()
    case_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(source="changed_at")

    def get_version(self, dataset: Any) -> int | None:
        return dataset.newest_version or None


class DatasetQuery(KeysetQuery):
    """Which datasets."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the name.")


class VersionOut(serializers.Serializer[Any]):
    """One version: who made it, when, what changed, and what it cost.

    `revisions_stored` counts the cases it added or edited. `restored_from` is the version that it went back to;
    `text_removed_at` is when text of its cases was last replaced in place.
    """

    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    author = AuthorOut(allow_null=True)
    kind = serializers.ChoiceField(VersionKind.choices)
    added = serializers.IntegerField()
    edited = serializers.IntegerField()
    removed = serializers.IntegerField()
    case_count = serializers.IntegerField()
    revisions_stored = serializers.IntegerField()
    restored_from = serializers.IntegerField(allow_null=True)
    text_removed_at = serializers.DateTimeField(allow_null=True)


class TurnOut(serializers.Serializer[Any]):
    """An earlier turn of the conversation."""

    role = serializers.ChoiceField(ROLES)
    content = serializers.CharField()


class ToolCallOut(serializers.Serializer[Any]):
    """A call the agent should make, with the arguments that have to match."""

    tool = serializers.CharField()
    args = serializers.DictField()


class CaseFields(serializers.Serializer[Any]):
    """The nine fields of a case (DS-129)."""

    input = serializers.CharField(help_text=_("The message the agent replies to."))
    history = TurnOut(many=True, required=False)
    reference_answer = serializers.CharField(allow_null=True, required=False)
    counter_example = serializers.CharField(allow_null=True, required=False)
    expected_tool_calls = ToolCallOut(many=True, required=False)
    order_mode = serializers.ChoiceField(ORDER_MODES, required=False)
    checks = serializers.ListField(child=serializers.DictField(), required=False)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    note = serializers.CharField(allow_null=True, required=False)


class CaseIn(CaseFields):
    """A new case: `input` and at least one of the four expectations."""


class CasePatch(CaseFields):
    """Some of the nine fields. `base_revision` is the `revision` the change began from (DS-D11)."""

    input = serializers.CharField(required=False)
    base_revision = serializers.IntegerField(required=False, min_value=1)


class OriginOut(serializers.Serializer[Any]):
    """Where a case was taken from; each an id, or null also where the caller cannot open it (DS-D3)."""

    run = serializers.UUIDField(allow_null=True)
    conversation = serializers.UUIDField(allow_null=True)
    message = serializers.UUIDField(allow_null=True)
    document = serializers.UUIDField(allow_null=True)


class CaseOut(CaseFields):
    """A case of one version. `revision` is the version since which this content holds.

    Where `text_hidden`, the text was copied from a conversation that the caller may not read: markers stand in its
    place, and only then `turn_count` counts the earlier turns, which are left out (ACC-D15, ACC-D16).
    """

    id = serializers.UUIDField()
    version = serializers.IntegerField()
    revision = serializers.IntegerField()
    source = serializers.ChoiceField(Source.choices)  # type: ignore[assignment]
    origin = OriginOut()
    text_hidden = serializers.BooleanField()
    turn_count = serializers.IntegerField(required=False)
    anonymised_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()

    def to_representation(self, instance: SeenCase) -> dict[str, Any]:
        content = instance.content.as_dict()
        own = ["id", "version", "revision", "source", "text_hidden", "anonymised_at", "created_at", "updated_at"]
        own += ["turn_count"] if instance.text_hidden else []
        seen = {name: getattr(instance, name) for name in own}
        shown = {name: self.fields[name].to_representation(value) for name, value in seen.items() if value is not None}
        origin = {name: id_or_none(getattr(instance.origin, name)) for name in ("run", "conversation", "message")}
        return {"id": shown["id"], **content, **seen, **shown, "origin": {**origin, "document": None}}


def id_or_none(value: Any) -> str | None:
    """An id as text."""
    return None if value is None else str(value)


class FromMessageIn(StrictSerializer):
    """An answer of an agent, by any of its messages, and what of it becomes the case."""

    message_id = Text(max_length=36, help_text="The id of a message of the answer; you must be able to read it.")
    keep_as = Choice(KEPT_AS, help_text="Whether a good answer says this, or an answer should not.")
    with_history = Flag(default=False, help_text="Also copy the turns before the question.")


class CaseFromMessageOut(CaseOut):
    """The new case. `copied_private_conversation_of` says whose private conversation was copied, null otherwise.

    `turns_left_out` counts the earliest turns that did not fit, `twins` the other cases that ask the same,
    `credentials_hidden` the values that were hidden.
    """

    copied_private_conversation_of = AuthorOut(allow_null=True)
    turns_left_out = serializers.IntegerField()
    twins = serializers.IntegerField()
    credentials_hidden = serializers.IntegerField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        added, seen = instance
        owner = added.copied_private_conversation_of
        return {
            **super().to_representation(seen),
            "copied_private_conversation_of": {"id": str(owner.pk), "name": str(owner)} if owner else None,
            "turns_left_out": added.turns_left_out,
            "twins": added.twins,
            "credentials_hidden": added.hidden,
        }


class VersionQuery(StrictSerializer):
    """Which version."""

    version = serializers.IntegerField(required=False, min_value=1, help_text="The newest when left out.")


class CaseQuery(NumberedQuery):
    """Which cases of which version."""

    version = serializers.IntegerField(required=False, min_value=1, help_text="The newest when left out.")
    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the question.")
    source = serializers.ChoiceField(Source.choices, required=False)  # type: ignore[assignment]
    tag = serializers.CharField(required=False, max_length=LIMITS.tag_characters)
    expectation = serializers.ChoiceField(EXPECTATIONS, required=False)
    anonymised = serializers.BooleanField(required=False)


class DeleteQuery(VersionQuery):
    """What the deletion began from."""

    base_revision = serializers.IntegerField(required=False, min_value=1)
    remove_text = serializers.BooleanField(
        required=False, help_text="Also replace the text in every version that holds the case, for good."
    )


class TwinsIn(StrictSerializer):
    """A question that may be asked already."""

    input = Text(max_length=LIMITS.text_characters, allow_blank=True)


class TwinOut(serializers.Serializer[Any]):
    """A case that asks the same."""

    case_id = serializers.UUIDField()


class TwinsOut(serializers.Serializer[Any]):
    """At most ten cases of the newest version, oldest first."""

    twins = TwinOut(many=True)


class FileIn(serializers.Serializer[Any]):
    """A .csv or .jsonl file of at most 10 MB."""

    file = serializers.FileField()


class ImportQuery(VersionQuery):
    """Which version is on screen, and what happens to cases that the dataset has."""

    skip_existing = serializers.BooleanField(
        default=False, help_text="Add only the cases that the newest version does not have word for word."
    )


class ImportOut(serializers.Serializer[Any]):
    """The newest version, made by the import unless nothing was added.

    `identical` counts the file's cases that the dataset had word for word, `twins` the added cases that ask what
    another case asks, `credentials_hidden` the values that were hidden.
    """

    version = serializers.IntegerField(source="version.number")
    added = serializers.IntegerField()
    identical = serializers.IntegerField()
    twins = serializers.IntegerField()
    credentials_hidden = serializers.IntegerField(source="hidden")
    case_count = serializers.IntegerField(source="version.case_count")


class ExportQuery(VersionQuery):
    """Which version as which file."""

    format = serializers.ChoiceField(("csv", "jsonl"), default="csv")
    bom = serializers.BooleanField(required=False, help_text="Begin with a byte-order mark, which Excel needs.")
