"""What the API gives and takes for skills, knowledge bases, their documents and passages."""

from typing import Any

from rest_framework import serializers

from accounts.api.serializers import MemberRef
from accounts.models import Visibility
from agents.models import DocumentKind
from core.api.pagination import KeysetQuery
from core.api.serializers import Choice, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS

MOST_FOUND = 50


class NamedQuery(KeysetQuery):
    """Which of them."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the name.")


class SkillIn(StrictSerializer):
    """A new skill; `text` is Markdown."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True)
    description = Text(max_length=LIMITS.description_characters, allow_blank=True, required=False)
    text = Text(max_length=LIMITS.instructions_characters)
    visibility = Choice(Visibility.choices, required=False)


class SkillPatch(SkillIn):
    """What may be changed of a skill; what is left out stays. `base_revision`: 409 where somebody saved it since."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)
    text = Text(max_length=LIMITS.instructions_characters, required=False)
    base_revision = WholeNumber(required=False, min_value=1)


class SkillOut(serializers.Serializer[Any]):
    """A skill. `revision` counts its changes."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    text = serializers.CharField()
    revision = serializers.IntegerField()
    visibility = serializers.ChoiceField(Visibility.choices)
    owner = MemberRef()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(source="changed_at")


class KnowledgeIn(StrictSerializer):
    """A new knowledge base."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True)
    description = Text(max_length=LIMITS.description_characters, allow_blank=True, required=False)
    visibility = Choice(Visibility.choices, required=False)


class KnowledgePatch(KnowledgeIn):
    """What may be changed of a knowledge base; what is left out stays."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)


class KnowledgeOut(serializers.Serializer[Any]):
    """A knowledge base and how much it holds."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    document_count = serializers.IntegerField()
    passage_count = serializers.IntegerField()
    visibility = serializers.ChoiceField(Visibility.choices)
    owner = MemberRef()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(source="changed_at")


class DocumentIn(serializers.Serializer[Any]):
    """A text or Markdown file in UTF-8, or a PDF with text in it; of at most 10 MB."""

    file = serializers.FileField()


class DocumentOut(serializers.Serializer[Any]):
    """A document. `bytes` and `sha256` are those of the file, `pages` is null where it has none."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(DocumentKind.choices)
    bytes = serializers.IntegerField()
    characters = serializers.IntegerField()
    pages = serializers.IntegerField(allow_null=True)
    passage_count = serializers.IntegerField()
    sha256 = serializers.CharField()
    added_by = MemberRef(allow_null=True)
    added_at = serializers.DateTimeField()


class PassageOut(serializers.Serializer[Any]):
    """A passage with where it begins; `position` counts from 1."""

    position = serializers.IntegerField()
    heading = serializers.CharField(allow_blank=True)
    page = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class SearchQuery(StrictSerializer):
    """What to look for."""

    q = serializers.CharField(max_length=LIMITS.search_characters, help_text="A question or some words of it.")
    limit = serializers.IntegerField(default=LIMITS.passages_found, min_value=1, max_value=MOST_FOUND)


class FoundPassageOut(PassageOut):
    """A passage that was found, in which document; `relevance` compares those of one answer."""

    document = serializers.SerializerMethodField()
    relevance = serializers.FloatField()

    def get_document(self, passage: Any) -> dict[str, str]:
        return {"id": str(passage.document_id), "name": passage.document}


class FoundOut(serializers.Serializer[Any]):
    """The passages that hold words of the question, the best first."""

    results = FoundPassageOut(many=True)
