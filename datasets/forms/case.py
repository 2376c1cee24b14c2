"""The form of a case: its nine fields one by one or as JSON, both read by the one table of rules (DS-99 to DS-103)."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import Invalid, Problem
from datasets.forms.case_json import JSON_FIELD, as_text, json_problems, read_text
from datasets.forms.case_lists import KINDS, RowList
from datasets.forms.case_values import LABELS, TEXTS, is_empty, same_field
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.hidden_texts import HIDDEN_FIELDS
from datasets.logic.tags import split_cell
from datasets.models import OrderMode
from datasets.operations.drafts import changes_from, draft_from

BLANK = CaseDraft(input="")


def text_field(label: Any, help_text: Any = "", rows: int = 3) -> forms.CharField:
    """A text that is stored as written; that it may not be empty is said by the rules."""
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, help_text=help_text, required=False, strip=False, widget=widget)


class CaseForm(forms.Form):
    """The nine fields. `draft()` is a new case and `changes()` what an edit changed; None where the form says why."""

    input = text_field(gettext_lazy("Question"), gettext_lazy("The message the agent replies to."))
    reference_answer = text_field(gettext_lazy("Reference answer"), gettext_lazy("What a good answer says."))
    counter_example = text_field(gettext_lazy("Counter-example"), gettext_lazy("An answer known to be wrong."), rows=2)
    order_mode = forms.CharField(
        label=gettext_lazy("Order"), required=False, widget=forms.Select(choices=OrderMode.choices)
    )
    tags = text_field(gettext_lazy("Tags"), gettext_lazy("Separated by commas, such as billing, refusal."), rows=1)
    note = text_field(
        gettext_lazy("Note"),
        gettext_lazy("For whoever reads the case later: what went wrong, or what it protects."),
        rows=2,
    )
    case_json = text_field(gettext_lazy("Case as JSON"), rows=20)
    mode = forms.CharField(required=False, widget=forms.HiddenInput)
    base_revision = forms.CharField(required=False, widget=forms.HiddenInput)
    base_removal = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any = None,
        *,
        content: CaseDraft = BLANK,
        revision: int | None = None,
        removal: str | None = None,
        text_hidden: bool = False,
    ) -> None:
        """`content` is the case as it is stored and the reader sees it, `revision` the one it was read from.

        `removal` says when text of that revision was erased, so that nothing erased comes back (ACC-D37). With
        `text_hidden` only tags and order are read, and everything else stays as it is (ACC-D19).
        """
        self.content = content
        self.text_hidden = text_hidden
        self._asked = False
        self._is_read = True
        self._text = ""
        self._fill(content.as_dict())
        super().__init__(
            data, initial={**self.shown, "mode": "fields", "base_revision": revision, "base_removal": removal}
        )
        if data is not None:
            sent = {name: data.getlist(name) for name in data}
            self.lists = {name: RowList.sent(name, sent) for name in KINDS}

    def filled(self, values: Mapping[str, Any], *, mode: str) -> "CaseForm":
        """A form of the same case that shows other values than the stored ones."""
        form = type(self)(
            content=self.content, revision=self.sent_revision, removal=self.sent_removal, text_hidden=self.text_hidden
        )
        form._fill(values)
        form.initial = {**form.initial, **form.shown, "mode": mode}
        return form

    def _fill(self, values: Mapping[str, Any]) -> None:
        self._raw = dict(values)
        texts = {name: values[name] or "" for name in TEXTS}
        tags = ",".join(map(str, values["tags"]))
        self.shown = {**texts, "tags": tags, "order_mode": values["order_mode"], JSON_FIELD: as_text(values)}
        self.lists = {name: RowList.of(name, values[name]) for name in KINDS}

    # --- Reading

    @property
    def is_json(self) -> bool:
        """Whether the case is edited as JSON."""
        return self["mode"].value() == "json"

    @property
    def sent_revision(self) -> int | None:
        """The revision the person began from, or None where the form does not say it."""
        text = str(self["base_revision"].value() or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    @property
    def sent_removal(self) -> str | None:
        """When text of that revision had been erased, as the form says; None where it says nothing."""
        return self["base_removal"].value() or None

    def bases(self) -> dict[str, Any]:
        """What the case was when the person began, for the operation to compare."""
        return {"base_revision": self.sent_revision, "base_removal": self.sent_removal}

    @property
    def sent_fields(self) -> set[str]:
        """Which of the nine fields the body names; all of them where it is JSON."""
        return set(FIELDS) if self.is_json else {name.partition(".")[0] for name in self.data} & set(FIELDS)

    def raw(self) -> dict[str, Any] | None:
        """The nine fields as they were written, not checked yet; None where they cannot be read."""
        if self._asked or not self.is_valid():
            return None if self.errors or self.has_row_errors else self._raw
        self._asked = True
        self._raw = self._raw_json() if self.is_json else self._raw_fields()
        return None if self.errors or self.has_row_errors else self._raw

    def draft(self) -> CaseDraft | None:
        """The whole case, or None where the form then shows what is wrong."""
        self.raw()
        return self._checked(lambda: draft_from(self._raw))

    def changes(self) -> dict[str, Any] | None:
        """The fields that differ from the stored case, valid, or None where the form then shows what is wrong."""
        self.raw()
        return self._checked(lambda: changes_from(self.differing(self.content)))

    def check(self) -> dict[str, Any] | None:
        """The nine fields as they would be stored, the question perhaps missing; None where a rule is broken."""
        self.raw()
        written = self.differing(self.content)
        unasked = is_empty("input", written.get("input", self.content.input))
        if unasked:
            written.pop("input", None)
        read = self._checked(lambda: changes_from(written))
        if read is None:
            return None
        return {**self.content.with_changes(read).as_dict(), **({"input": ""} if unasked else {})}

    def differing(self, content: CaseDraft) -> dict[str, Any]:
        """What was written, for each field in which it differs from a case."""
        stored = content.as_dict()
        return {name: self._raw[name] for name in FIELDS if not same_field(name, self._raw[name], stored[name])}

    def differs(self) -> bool:
        """Whether the form holds anything that is not stored."""
        return (self.is_bound and self.raw() is None) or bool(self.differing(self.content))

    def holds(self) -> list[str]:
        """The fields that hold something."""
        return [name for name in FIELDS if not is_empty(name, self._raw[name])]

    def _raw_fields(self) -> dict[str, Any]:
        texts = {name: self.cleaned_data[name].replace("\r\n", "\n") for name in TEXTS}
        tags = [tag.strip() for tag in split_cell(self.cleaned_data["tags"].replace("\r\n", "\n"))]
        lists = {name: rows.read() for name, rows in self.lists.items()}
        values = {**texts, **lists, "tags": tags, "order_mode": self.cleaned_data["order_mode"]}
        stored = self.content.as_dict()
        return {name: stored[name] if self.text_hidden and name in HIDDEN_FIELDS else values[name] for name in FIELDS}

    def _raw_json(self) -> dict[str, Any]:
        self._text = self.cleaned_data[JSON_FIELD]
        values, said = read_text(self._text)
        self._is_read = values is not None
        for message in said:
            self.add_error(JSON_FIELD, message)
        return {**BLANK.as_dict(), **(values or {})}

    # --- What is wrong

    def _checked(self, read: Any) -> Any:
        try:
            found = read()
        except Invalid as error:
            self.show(error)
            return None
        return None if self.errors or self.has_row_errors else found

    def show(self, error: Invalid) -> None:
        """Each problem at its field, its row, or its line of the JSON."""
        if self.is_json:
            for message in json_problems(self._text, error.problems) if self._is_read else ():
                self.add_error(JSON_FIELD, message)
            return
        for problem in error.problems:
            name, _dot, place = problem.field.partition(".")
            rows = self.lists.get(name)
            if rows is not None and rows.show(Problem(place, problem.message)):
                continue
            if name in self.fields:
                self.add_error(name, problem.message)
            else:
                self.add_error(None, f"{LABELS[name]}: {problem.message}" if name in LABELS else problem.message)

    @property
    def has_row_errors(self) -> bool:
        return not self.is_json and any(rows.has_errors for rows in self.lists.values())

    @property
    def has_problems(self) -> bool:
        return bool(self.errors) or self.has_row_errors

    @property
    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Label, place and words of each problem, in the order of the page, for the summary."""
        if not self.is_bound:
            return
        for name in ("input", "reference_answer", "counter_example", *KINDS, "order_mode", "tags", "note", JSON_FIELD):
            if name in KINDS:
                yield from self.lists[name].problems() if not self.is_json else ()
            else:
                yield from ((str(self[name].label), f"id_{name}", str(said)) for said in self[name].errors)

    # --- Which sections have something to show; an empty one stays closed (DS-99)

    def open_sections(self) -> dict[str, bool]:
        tools, checks, history = (len(self.lists[name]) > 0 for name in ("expected_tool_calls", "checks", "history"))
        return {
            "tools": tools or bool(self["order_mode"].errors),
            "checks": checks,
            "history": history,
            "tags": any(self[name].errors or self[name].value() for name in ("tags", "note")),
        }


def missing_base() -> str:
    """Said where an edit comes without the revision it began from (DS-D11)."""
    return _("This form does not say which revision of the case it began from. Open the case again.")
