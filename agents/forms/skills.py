"""The form of a skill; the operation checks what it holds."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Visibility
from agents.models import Skill
from core.limits import LIMITS

DETAILS = ("name", "description", "text")


class SkillForm(forms.Form):
    """Name, description and instructions; `revision` is the one that the editing began from."""

    name = forms.CharField(
        label=_("Name"), max_length=LIMITS.name_characters, error_messages={"required": _("Give the skill a name.")}
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LIMITS.description_characters,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For people: what the skill is for."),
    )
    text = forms.CharField(
        label=_("Instructions"),
        max_length=LIMITS.instructions_characters,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
        error_messages={"required": _("Write what the agent shall do.")},
        help_text=_("Markdown. An agent that has the skill reads this at every answer."),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1)

    @classmethod
    def of(cls, skill: Skill, data: Any = None) -> "SkillForm":
        """The form of a skill as it is, or with what was sent."""
        return cls(data, initial={name: getattr(skill, name) for name in (*DETAILS, "revision")})

    def changes(self) -> dict[str, str]:
        """What the operation takes; browsers send lines with two characters at their ends."""
        given = {name: self.cleaned_data[name] for name in DETAILS}
        return {name: value.replace("\r\n", "\n") for name, value in given.items()}


class NewSkillForm(SkillForm):
    """What a new skill begins with; its visibility changes on its page afterwards."""

    visibility = forms.ChoiceField(
        label=_("Who sees it"), choices=Visibility.choices, initial=Visibility.ORGANISATION, widget=forms.RadioSelect
    )
