"""The forms of a draft, one for each part of an agent's page; what they give is merged into the draft (PL-21)."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.logic.specs import JSON, OPENAI, EndpointSpec, JudgeSpec, ModelSpec
from agents.models import LanguageModel
from core.limits import LIMITS

Choices = list[tuple[str, Any]]
PROTOCOL_CHOICES = (
    (OPENAI, _("OpenAI-compatible chat: Casebook sends the messages as the chat API takes them")),
    (JSON, _("Plain JSON: Casebook sends the question, your service answers with its text")),
)


def whole(label: Any, most: int, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=most, help_text=help_text)


def instructions_field(help_text: Any) -> forms.CharField:
    """What a model is told, in Markdown, with the white space that was typed."""
    return forms.CharField(
        label=_("Instructions"),
        required=False,
        max_length=LIMITS.instructions_characters,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text=help_text,
    )


class DraftForm(forms.Form):
    """`revision` is the draft that the form began from."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    spec_fields: tuple[str, ...] = ()

    def changes(self) -> dict[str, Any]:
        """What the draft says instead of before."""
        return {name: self.cleaned_data[name] for name in self.spec_fields}

    def began_from(self) -> int:
        found: int = self.cleaned_data["revision"]
        return found

    def take_revision(self, revision: int) -> None:
        """Let the next saving take the place of what somebody else saved."""
        changed: Any = self.data
        changed = changed.copy()
        changed["revision"] = str(revision)
        self.data = changed


class ToldModelForm(DraftForm):
    """What a model is told, which one, how warm."""

    instructions = instructions_field(_("Markdown. The model reads it before every question."))
    model = forms.ChoiceField(label=_("Model"), required=False)
    temperature = forms.FloatField(
        label=_("Temperature"),
        required=False,
        min_value=0,
        max_value=2,
        help_text=_("From 0 to 2; empty: what the model takes by itself."),
    )
    spec_fields: tuple[str, ...] = ("instructions", "model", "temperature")

    def __init__(
        self, data: Any = None, *, spec: ModelSpec | JudgeSpec, models: Iterable[LanguageModel], revision: int
    ) -> None:
        given = {name: getattr(spec, name) for name in self.spec_fields}
        super().__init__(data, initial={**given, "revision": revision})
        models = list(models)
        choices: Choices = [("", _("No model chosen")), *((model.id_text, _named(model)) for model in models)]
        if spec.model and spec.model not in dict(choices):
            choices.append((spec.model, _("A model that was removed")))
        self.fields["model"].choices = choices  # type: ignore[attr-defined]
        self.without_temperature = [model.id_text for model in models if not model.takes_temperature]

    def changes(self) -> dict[str, Any]:
        """A temperature is dropped where the model takes none: the field is hidden then."""
        given = super().changes()
        given["model"] = given["model"] or None
        if given["model"] in self.without_temperature:
            given["temperature"] = None
        return given


class ModelDraftForm(ToldModelForm):
    """The same, and how far it may go (PL-23)."""

    max_steps = whole(_("Steps at most"), LIMITS.agent_steps, _("Model calls for one answer."))
    seconds = whole(_("Seconds at most"), LIMITS.agent_seconds, _("For one answer, tools included."))
    spec_fields = (*ToldModelForm.spec_fields, "max_steps", "seconds")


class JudgeDraftForm(ToldModelForm):
    """What a judge is told besides its task; its temperature begins at 0 (SC-97)."""

    instructions = instructions_field(
        _("Markdown. The judge reads it behind its task and before the instructions of the dataset.")
    )
    temperature = forms.FloatField(
        label=_("Temperature"),
        required=False,
        min_value=0,
        max_value=2,
        help_text=_("From 0 to 2. At 0 it grades most evenly."),
    )


class EndpointDraftForm(DraftForm):
    """Where an agent answers, and how it is asked (PL-21)."""

    protocol = forms.ChoiceField(label=_("How it is asked"), choices=PROTOCOL_CHOICES, widget=forms.RadioSelect)
    url = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=LIMITS.url_characters,
        help_text=_("For an OpenAI-compatible endpoint the base address, such as https://agent.example.com/v1."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=LIMITS.model_name_characters,
        help_text=_("By the name that the endpoint knows, where it needs one."),
    )
    secret = forms.ChoiceField(
        label=_("Secret"), required=False, help_text=_("Sent as “Authorization: Bearer …”. Set it in the settings.")
    )
    seconds = whole(_("Seconds at most"), LIMITS.agent_seconds, _("For one answer."))
    spec_fields = ("protocol", "url", "model", "secret", "seconds")

    def __init__(self, data: Any = None, *, spec: EndpointSpec, secrets: Iterable[str], revision: int) -> None:
        given = {name: getattr(spec, name) for name in self.spec_fields}
        super().__init__(data, initial={**given, "revision": revision})
        self.fields["secret"].choices = secret_choices(secrets, spec.secret)  # type: ignore[attr-defined]


class PartsDraftForm(DraftForm):
    """Which skills and knowledge bases an agent has (PL-24)."""

    skills = forms.MultipleChoiceField(
        label=_("Skills"), required=False, help_text=_("Read by the model before every question.")
    )
    knowledge = forms.MultipleChoiceField(
        label=_("Knowledge bases"),
        required=False,
        help_text=_("The model looks things up in them with the tool search_knowledge."),
    )
    spec_fields = ("skills", "knowledge")

    def __init__(
        self, data: Any = None, *, spec: ModelSpec, skills: Choices, knowledge: Choices, revision: int
    ) -> None:
        given = {"skills": [skill.id for skill in spec.skills], "knowledge": list(spec.knowledge)}
        super().__init__(data, initial={**given, "revision": revision})
        self.fields["skills"].choices = skills  # type: ignore[attr-defined]
        self.fields["knowledge"].choices = knowledge  # type: ignore[attr-defined]

    def changes(self) -> dict[str, Any]:
        given = super().changes()
        return given | {"skills": [{"id": id_} for id_ in given["skills"]]}


def secret_choices(names: Iterable[str], current: str) -> Choices:
    """The agent's secrets; one that is named and not there stays, so that saving another field loses nothing."""
    known = list(names)
    choices: Choices = [("", _("None")), *((name, name) for name in known)]
    if current and current not in known:
        choices.append((current, _("%(name)s (not set)") % {"name": current}))
    return choices


def _named(model: LanguageModel) -> str:
    return f"{model.label} · {model.connection.name}"
