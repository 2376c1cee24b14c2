"""The form of one tool; its parameters are written as JSON and refused with the line (PL-22)."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.forms.agent_drafts import secret_choices
from agents.logic.specs import ToolSpec
from core.errors import Invalid
from core.json_places import line_of
from core.json_words import words_of
from core.limits import LIMITS
from core.strict_json import JSONFault, read_json

CALLED_FIELDS = ("endpoint", "secret", "stub")


class ToolForm(forms.Form):
    """`called` tools have an endpoint; those of other agents are declared only, and lack these fields."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=64,
        help_text=gettext_lazy("Letters from a to z, digits, hyphens and underscores, such as find_order."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=LIMITS.tool_description_characters,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("What it does and when to use it: the model decides by it."),
    )
    parameters = forms.CharField(
        label=gettext_lazy("Parameters"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=gettext_lazy("A JSON schema of the arguments. Empty: it takes none."),
    )
    read_only = forms.BooleanField(
        label=gettext_lazy("Only reads"),
        required=False,
        help_text=gettext_lazy("It changes nothing, so test runs call it. Other tools are only pretended there."),
    )
    endpoint = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=LIMITS.url_characters,
        help_text=gettext_lazy("Called with POST and the arguments as JSON; what it answers is what the model reads."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    secret = forms.ChoiceField(
        label=gettext_lazy("Secret"),
        required=False,
        help_text=gettext_lazy("Sent as “Authorization: Bearer …”. Set it in the settings."),
    )
    stub = forms.CharField(
        label=gettext_lazy("Result in test runs"),
        required=False,
        max_length=LIMITS.tool_result_characters,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Given to the model in place of a call that a test run must not make."),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, tool: ToolSpec, called: bool, secrets: Iterable[str], revision: int
    ) -> None:
        super().__init__(data, initial=_shown(tool) | {"revision": revision})
        self.fields["secret"].choices = secret_choices(secrets, tool.secret)  # type: ignore[attr-defined]
        if not called:
            for name in CALLED_FIELDS:
                del self.fields[name]

    def clean_parameters(self) -> Any:
        """The schema, {} for none. The words name line and column of what is no JSON."""
        text = self.cleaned_data["parameters"]
        if not text.strip():
            return {}
        try:
            return read_json(text)
        except JSONFault as fault:
            raise forms.ValidationError(_("This is no JSON: %(why)s.") % {"why": words_of(fault)}) from None

    def tool(self) -> dict[str, Any]:
        """The tool as the draft holds it."""
        given = {name: value for name, value in self.cleaned_data.items() if name != "revision"}
        if "stub" in given:
            given["stub"] = given["stub"] or None
        return given

    def take_revision(self, revision: int) -> None:
        """Let the next saving take the place of what somebody else saved."""
        changed: Any = self.data
        changed = changed.copy()
        changed["revision"] = str(revision)
        self.data = changed

    def show_problems(self, error: Invalid, place: int) -> None:
        """Each problem of the tool at this place of the draft beside its field; the schema's with its line."""
        under = f"tools.{place}."
        for problem in error.problems:
            path = problem.field.removeprefix(under)
            name, _dot, inside = path.partition(".")
            if not problem.field.startswith(under) or name not in self.fields:
                self.add_error(None, f"{problem.field}: {problem.message}" if problem.field else problem.message)
            elif name == "parameters" and inside:
                self.add_error(name, self._by_line(inside, problem.message))
            else:
                self.add_error(name, problem.message)

    def _by_line(self, path: str, message: str) -> str:
        text = str(self.data.get("parameters", "")).replace("\r\n", "\n")
        said = {"line": line_of(text, path), "key": path, "message": message}
        return _("Line %(line)d, %(key)s: %(message)s") % said


def _shown(tool: ToolSpec) -> dict[str, Any]:
    shown = {name: getattr(tool, name) for name in ("name", "description", "read_only", *CALLED_FIELDS)}
    schema = json.dumps(tool.parameters, ensure_ascii=False, indent=2) if tool.parameters else ""
    return shown | {"parameters": schema, "stub": tool.stub or ""}
