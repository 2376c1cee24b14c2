"""The form of a skill; the operation checks what it holds."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import named_resources
from core.limits import LIMITS

DETAILS = ("name", "description", "text")


class SkillForm(named_resources.DetailsForm):
    """Name, description and instructions; `revision` is the one that the editing began from."""

    unnamed = _("Give the skill a name.")
    about = _("For people: what the skill is for.")

    text = forms.CharField(
        label=_("Instructions"),
        max_length=LIMITS.instructions_characters,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
        error_messages={"required": _("Write what the agent shall do.")},
        help_text=_("Markdown. An agent that has the skill reads this at every answer."),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1)

    def changes(self) -> dict[str, str]:
        """What the operation takes; browsers send lines with two characters at their ends."""
        given = {name: self.cleaned_data[name] for name in DETAILS}
        return {name: value.replace("\r\n", "\n") for name, value in given.items()}


class NewSkillForm(named_resources.VisibilityForm, SkillForm):
    """What a new skill begins with."""
