"""The form of a case: text as text, lists as JSON, all checked by the one table of rules."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.errors import Invalid
from core.json_words import words_of
from core.strict_json import JSONFault, read_json
from datasets.forms.problems import show_problems
from datasets.logic.drafts import CaseDraft
from datasets.logic.tags import split_cell
from datasets.models import OrderMode
from datasets.operations.drafts import changes_from, draft_from

JSON_FIELDS = ("history", "expected_tool_calls", "checks")
# The arguments of a call may be 32 levels deep, and stand in an object in a list.
JSON_DEPTH = 36


def text_field(label: Any, help_text: Any = "", rows: int = 3, required: bool = False) -> forms.CharField:
    """A text that is stored as written."""
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=required,
        strip=False,
        widget=forms.Textarea(attrs={"rows": rows}),
        error_messages={"required": _("A case needs a question.")},
    )


class CaseForm(forms.Form):
    """The nine fields. After `is_valid()`, `draft()` is a new case and `changes()` what an edit changed."""

    input = text_field(_("Question"), _("The message the agent replies to."), required=True)
    reference_answer = text_field(_("Reference answer"), _("What a good answer says."), rows=4)
    counter_example = text_field(_("Counter-example"), _("An answer known to be wrong."), rows=2)
    expected_tool_calls = text_field(
        _("Calls"),
        _('A list such as [{"tool": "find_order", "args": {"id": 12}}]. Only the arguments named have to match.'),
    )
    order_mode = forms.ChoiceField(label=_("Order"), choices=OrderMode.choices, required=False)
    checks = text_field(_("Rules"), _('A list such as [{"type": "contains", "value": "30 days"}].'))
    history = text_field(
        _("Turns"), _('The oldest first, such as [{"role": "user", "content": "I bought a kettle."}].')
    )
    tags = forms.CharField(
        label=_("Tags"), required=False, help_text=_("Separated by commas, such as billing, refusal.")
    )
    note = text_field(_("Note"), _("Why the case exists: what went wrong, or what it protects."), rows=2)
    base_revision = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    @classmethod
    def of(cls, content: CaseDraft, revision: int, data: Any = None) -> "CaseForm":
        """The form of a case as it is, or with what was sent."""
        return cls(data, initial={**shown(content), "base_revision": revision})

    def draft(self) -> CaseDraft | None:
        """The whole case, or None where the fields then show what is wrong."""
        try:
            return draft_from(self._raw(self.fields)) if self.is_valid() else None
        except Invalid as error:
            show_problems(self, error)
            return None

    def changes(self) -> dict[str, Any] | None:
        """The fields that were changed, valid, or None where the fields then show what is wrong."""
        try:
            return changes_from(self._raw(self.changed_data)) if self.is_valid() else None
        except Invalid as error:
            show_problems(self, error)
            return None

    def clean(self) -> dict[str, Any]:
        for name in JSON_FIELDS:
            text = self.cleaned_data.get(name)
            if text is not None:
                self.cleaned_data[name] = self._json(name, text)
        return self.cleaned_data

    def _is_open(self, *names: str) -> bool:
        return any(self[name].errors or self[name].value() for name in names)

    @property
    def open_tools(self) -> bool:
        """Whether the section has something to show; an empty one stays closed (DS-99)."""
        return self._is_open("expected_tool_calls") or bool(self["order_mode"].errors)

    @property
    def open_checks(self) -> bool:
        return self._is_open("checks")

    @property
    def open_history(self) -> bool:
        return self._is_open("history")

    @property
    def open_tags(self) -> bool:
        return self._is_open("tags", "note")

    def _json(self, name: str, text: str) -> Any:
        try:
            return read_json(text.replace("\r\n", "\n"), depth=JSON_DEPTH) if text.strip() else []
        except JSONFault as fault:
            self.add_error(name, words_of(fault))
            return []

    def _raw(self, names: Any) -> dict[str, Any]:
        raw = {name: self.cleaned_data[name] for name in names if name != "base_revision"}
        return {**raw, "tags": split_cell(raw["tags"])} if "tags" in raw else raw


def shown(content: CaseDraft) -> dict[str, Any]:
    """The fields as the form shows them."""
    values = content.as_dict()
    for name in JSON_FIELDS:
        values[name] = json.dumps(values[name], ensure_ascii=False, indent=2) if values[name] else ""
    values["tags"] = ", ".join(content.tags)
    return values
