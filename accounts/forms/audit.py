"""The filters of the audit log."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.actions import action_label
from accounts.models import Member
from accounts.queries.audit import AuditFilter


class AuditFilterForm(forms.Form):
    """What to look for; everything is optional, and a value that makes no sense is left out."""

    action = forms.ChoiceField(label=_("What"), required=False)
    member = forms.ModelChoiceField(Member.objects.none(), label=_("Who"), required=False, empty_label=_("Anybody"))
    object = forms.CharField(label=_("Object"), required=False, max_length=120)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, members: Any, actions: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].queryset = members  # type: ignore[attr-defined]
        labelled = sorted(((action, action_label(action)) for action in actions), key=lambda pair: pair[1])
        self.fields["action"].choices = [("", _("Anything")), *labelled]  # type: ignore[attr-defined]

    def wanted(self) -> AuditFilter:
        """What the query takes."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if value}
        member = given.pop("member", None)
        return AuditFilter(member_id=member.pk if member else None, **given)
