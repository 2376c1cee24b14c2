"""The form of the dialog that scores stored answers: what the set is called, and who gave the answers."""

from pathlib import PurePath
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from agents.models import AgentKind
from agents.queries.agents import visible_agents
from core.limits import LIMITS


class StoredAnswersForm(forms.Form):
    """Both may stay empty: the file's name is taken as label, and then no agent is named."""

    label = forms.CharField(
        label=_("Label"),
        required=False,
        max_length=LIMITS.name_characters,
        help_text=_("Such as the name of the tool or model that answered. The name of the file, if left empty."),
    )
    agent = forms.ChoiceField(
        label=_("Agent"),
        required=False,
        help_text=_("Where one of your agents gave the answers: then only who can see that agent reads them."),
    )

    def __init__(self, *args: Any, actor: Actor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seen = visible_agents(actor).exclude(kind=AgentKind.JUDGE)
        agents = seen.order_by("name_folded", "pk").values_list("pk", "name")
        field = self.fields["agent"]
        field.choices = [("", _("None of them")), *((str(pk), name) for pk, name in agents)]  # type: ignore[attr-defined]

    def label_for(self, file_name: str) -> str:
        """What was written, or the name of the file without its ending."""
        return self.cleaned_data.get("label") or PurePath(file_name).stem[: LIMITS.name_characters]

    @property
    def agent_id(self) -> UUID | None:
        chosen = self.cleaned_data.get("agent")
        return UUID(chosen) if chosen else None
