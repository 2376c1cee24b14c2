"""What the API gives and takes for agents, their drafts, versions and secrets."""

from typing import Any

from rest_framework import serializers

from accounts.api.serializers import MemberRef
from accounts.models import Visibility
from agents.models import AgentKind, AgentState
from core.api.pagination import KeysetQuery
from core.api.serializers import Amount, Choice, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS

SPEC_HELP = (
    "By kind. `model`: `instructions`, `model` (id or null), `temperature` (or null), `max_steps`, `seconds`, `tools`, "
    "`skills`, `knowledge` (ids). `endpoint`: `protocol` (`openai` or `json`), `url`, `model`, `secret`, `seconds`, "
    "`tools`. `external`: `tools`. `judge`: `instructions`, `model`, `temperature` (0 unless given). A tool has "
    "`name`, `description`, `parameters` (a JSON schema) and `read_only`; of a `model` agent also `endpoint`, "
    "`secret` (a name) and `stub`."
)


class AgentPatch(StrictSerializer):
    """What may be changed of an agent; what is left out stays."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)
    description = Text(max_length=LIMITS.description_characters, allow_blank=True, required=False)
    visibility = Choice(Visibility.choices, required=False)
    monthly_budget = Amount(allow_null=True, required=False)


class AgentIn(StrictSerializer):
    """A new agent. Its kind stays."""

    kind = Choice(AgentKind.choices)
    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True)
    description = Text(max_length=LIMITS.description_characters, allow_blank=True, required=False)
    visibility = Choice(Visibility.choices, required=False)


class AgentOut(serializers.Serializer[Any]):
    """An agent. `version` is the number of its newest version, null before the first.

    `helper` names the part of Casebook that it is, and is null for the agents that people make.
    """

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(AgentKind.choices)
    helper = serializers.SerializerMethodField()
    name = serializers.CharField()
    description = serializers.CharField()
    state = serializers.ChoiceField(AgentState.choices)
    visibility = serializers.ChoiceField(Visibility.choices)
    owner = MemberRef()
    monthly_budget = Amount(allow_null=True)
    version = serializers.SerializerMethodField()
    draft_revision = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField(source="changed_at")

    def get_version(self, agent: Any) -> int | None:
        return agent.newest_version or None

    def get_helper(self, agent: Any) -> str | None:
        return agent.helper or None


class AgentQuery(KeysetQuery):
    """Which agents."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of the name.")
    kind = serializers.ChoiceField(AgentKind.choices, required=False)
    state = serializers.ChoiceField(AgentState.choices, required=False)


class DraftIn(StrictSerializer):
    """The whole draft; what is left out of it takes its default."""

    draft = serializers.DictField(help_text=SPEC_HELP)
    revision = WholeNumber(
        required=False, min_value=1, help_text="Refuse with `draft_changed` where the draft has another `revision`."
    )


class DraftOut(serializers.Serializer[Any]):
    """The draft, and how often it was saved."""

    draft = serializers.DictField(help_text=SPEC_HELP)
    revision = serializers.IntegerField(source="draft_revision")
    updated_at = serializers.DateTimeField(source="draft_changed_at")


class PublishIn(StrictSerializer):
    """What to say about the version, and the draft that the decision was made on."""

    note = Text(max_length=LIMITS.note_characters, allow_blank=True, required=False)
    revision = WholeNumber(
        required=False, min_value=1, help_text="Refuse with `draft_changed` where the draft has another `revision`."
    )


class AgentVersionOut(serializers.Serializer[Any]):
    """A published version, which never changes. The author is null once the person was erased."""

    number = serializers.IntegerField()
    spec = serializers.DictField(help_text=SPEC_HELP + " A skill has `id`, `name` and `text`.")
    note = serializers.CharField()
    author = MemberRef(allow_null=True)
    created_at = serializers.DateTimeField()


class AgentChangesQuery(StrictSerializer):
    """Since which version."""

    since = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="The version before when left out; 0 is the agent before its first. It may be newer.",
    )


class AgentChangeOut(serializers.Serializer[Any]):
    """A field that differs, both sides as text, null where it is not there.

    `field` is its name; `tools.<name>` and `tools.<name>.<field>` for tools, `tools` for their order, `skills.<id>` and
    `knowledge.<id>` for one of those.
    """

    field = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class AgentChangesOut(serializers.Serializer[Any]):
    """What changed from version `since` to `version`."""

    since = serializers.IntegerField()
    version = serializers.IntegerField()
    changes = AgentChangeOut(many=True)


class DraftRestoreIn(StrictSerializer):
    """The draft that the decision was made on."""

    revision = WholeNumber(
        required=False, min_value=1, help_text="Refuse with `draft_changed` where the draft has another `revision`."
    )


class NothingIn(StrictSerializer):
    """Nothing."""


class SecretIn(StrictSerializer):
    """The value. It is kept encrypted and in no answer."""

    value = Text(max_length=LIMITS.key_characters, write_only=True)


class SecretOut(serializers.Serializer[Any]):
    """A secret by its name."""

    name = serializers.CharField()
    set_at = serializers.DateTimeField()
