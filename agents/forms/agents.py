"""The forms around an agent: a new one, its details, publishing, its secrets; the operations check what they hold."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import named_resources
from accounts.forms.budgets import budget_field
from agents.models import AgentKind, AgentState, LanguageModel
from core.limits import LIMITS

KIND_SENTENCES = (
    (AgentKind.MODEL, _("Casebook runs it: instructions, a model, tools, skills and knowledge bases.")),
    (AgentKind.ENDPOINT, _("Your own service answers: Casebook asks it at its address.")),
    (AgentKind.EXTERNAL, _("Casebook never calls it: its runs arrive through the API or OpenTelemetry.")),
    (AgentKind.JUDGE, _("Casebook asks it to grade answers, by the criteria of a dataset. It is never talked to.")),
)
EVERY_KIND: tuple[tuple[str, Any], ...] = (
    ("", _("Every kind")),
    (AgentKind.MODEL, _("Model")),
    (AgentKind.ENDPOINT, _("Endpoint")),
    (AgentKind.EXTERNAL, _("External")),
    (AgentKind.JUDGE, _("Judge")),
)


class AgentFilter(forms.Form):
    """Which agents the list shows; what is none of the choices is left out."""

    q = forms.CharField(required=False, max_length=LIMITS.search_characters)
    kind = forms.ChoiceField(label=_("Kind"), choices=EVERY_KIND, required=False)
    state = forms.ChoiceField(
        label=_("State"), choices=[*AgentState.choices, ("all", _("Active and archived"))], required=False
    )

    def wanted(self) -> dict[str, str]:
        """What `visible_agents` takes: active ones unless others were asked for."""
        given = self.cleaned_data if self.is_valid() else {}
        state = given.get("state") or AgentState.ACTIVE.value
        return {
            "search": self.data.get("q", "")[: LIMITS.search_characters],
            "kind": given.get("kind", ""),
            "state": "" if state == "all" else state,
        }


class DetailsForm(named_resources.DetailsForm):
    """Name and description of an agent."""

    unnamed = _("Give the agent a name.")
    about = _("What it is for, and who uses it.")


class NewAgentForm(named_resources.VisibilityForm, DetailsForm):
    """What a new agent begins with; its kind stays."""

    kind = forms.ChoiceField(
        label=_("Kind"), choices=AgentKind.choices, initial=AgentKind.MODEL, widget=forms.RadioSelect
    )


class BudgetForm(forms.Form):
    """How much may be spent in a calendar month (PL-25)."""

    monthly_budget = budget_field(_("Empty: no bound of its own. The organisation's budget holds all the same."))


class HelperModelForm(forms.Form):
    """Which model a helper asks."""

    model = forms.ChoiceField(
        label=_("Model"), required=False, help_text=_("Asked where the settings of a dataset choose no other.")
    )

    def __init__(self, data: Any = None, *, models: Iterable[LanguageModel], current: str) -> None:
        super().__init__(data, initial={"model": current})
        chosen = [(model.id_text, f"{model.label} · {model.connection.name}") for model in models]
        self.fields["model"].choices = [("", _("No model chosen")), *chosen]  # type: ignore[attr-defined]


class PublishForm(forms.Form):
    """What to say about a version."""

    note = forms.CharField(
        label=_("What changed"),
        required=False,
        max_length=LIMITS.note_characters,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown in the list of versions."),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput)


class SecretForm(forms.Form):
    """A new secret."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LIMITS.secret_name_characters,
        help_text=_("By it the endpoint or a tool names the secret, such as SHOP_KEY."),
    )
    value = forms.CharField(
        label=_("Secret"),
        max_length=LIMITS.key_characters,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Sent as “Authorization: Bearer …”. Stored encrypted and never shown again."),
    )


class SecretValueForm(forms.Form):
    """Another value for a secret that stands."""

    value = SecretForm.base_fields["value"]
