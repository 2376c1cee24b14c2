"""The one form of how a dataset is graded: both cards, saved together (SC-20 to SC-23)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.errors import Invalid, Problem
from core.json_values import same_json
from core.limits import LIMITS
from datasets.forms.case_lists import RowList
from datasets.forms.case_rows import number_of
from scoring.forms.criterion_rows import CriterionRows
from scoring.forms.rule_words import rule_in_words
from scoring.logic.findings import Evaluator
from scoring.logic.settings import Criterion, Json, Settings
from scoring.queries.reason_words import EVALUATOR_LABELS

Choices = list[tuple[str, Any]]
REVIEW_CHOICES = (
    ("none", _("Nothing until someone sends one")),
    ("not_passed", _("Every result that did not pass")),
    ("all", _("Every result")),
)
# By the path of a setting the field that shows it; the lists are rows.
FIELDS = {
    **{f"{one.value}.{key}": f"{one.value}_{key}" for one in Evaluator for key in ("enabled", "must_pass")},
    "judge.agent": "agent",
    "judge.model": "model",
    "judge.instructions": "instructions",
    "judge.scale": "scale",
    "judge.pass_at": "pass_at",
    "review_by_person": "review_by_person",
}
SWITCHES = (".enabled", ".must_pass")
# Settings whose label on the page begins a sentence, or that are lists.
ALONE = {"judge.scale": _("Scale"), "judge.criteria": _("Criteria"), "checks.defaults": _("Default checks")}
# What each card holds, to say which of them is unsaved (SC-28).
CARDS = {"passes": ("checks", "tool_calls", "review_by_person"), "judge": ("judge", "reference_answer")}


def _switch(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def _number(label: Any) -> forms.CharField:
    attrs = {"inputmode": "numeric", "autocomplete": "off"}
    return forms.CharField(label=label, required=False, widget=forms.TextInput(attrs=attrs))


class GradingForm(forms.Form):
    """Every value is read by the rules of the settings, so that form and API refuse the same."""

    revision = forms.IntegerField(widget=forms.HiddenInput, required=False)
    checks_enabled, checks_must_pass = _switch(_("On")), _switch(_("Must pass"))
    tool_calls_enabled, tool_calls_must_pass = _switch(_("On")), _switch(_("Must pass"))
    judge_enabled, judge_must_pass = _switch(_("On")), _switch(_("Must pass"))
    reference_answer_enabled, reference_answer_must_pass = _switch(_("On")), _switch(_("Must pass"))
    agent = forms.ChoiceField(label=_("Judge"), required=False)
    model = forms.ChoiceField(label=_("Model"), required=False)
    instructions = forms.CharField(
        label=_("Instructions"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("What the judge has to know besides the criteria, such as house rules. Markdown."),
    )
    scale, pass_at = _number(_("Scale: grades from 1 to")), _number(_("Passes at"))
    review_by_person = forms.ChoiceField(label=_("Review by a person"), choices=REVIEW_CHOICES, required=False)

    def __init__(
        self, data: Any = None, *, values: Json, revision: int | None, judges: Choices, models: Choices
    ) -> None:
        """`values` have the shape of the settings: those stored, or those on the screen after an act of the form."""
        given = {field: _at(values, path) for path, field in FIELDS.items()}
        super().__init__(data, initial={**given, "revision": revision})
        self.fields["agent"].choices = judges  # type: ignore[attr-defined]
        self.fields["model"].choices = models  # type: ignore[attr-defined]
        if data is None:
            self.checks = RowList.of("checks", values["checks"]["defaults"])
            self.criteria = CriterionRows.of(values["judge"]["criteria"])
        else:
            sent = {name: data.getlist(name) for name in data}
            self.checks, self.criteria = RowList.sent("checks", sent), CriterionRows.sent(sent)
        self.list_errors: list[str] = []

    # --- Reading

    def body(self) -> Json:
        """Everything on the screen in the shape of the settings, as `change_scoring` takes it."""
        shown = {path: self[field].value() for path, field in FIELDS.items()}
        switches = {one.value: _switches(shown, one.value) for one in Evaluator}
        judge = {
            **switches["judge"],
            "agent": shown["judge.agent"] or None,
            "model": shown["judge.model"] or None,
            "instructions": (shown["judge.instructions"] or "").replace("\r\n", "\n"),
            "criteria": self.criteria.read(),
            "scale": number_of(str(shown["judge.scale"] or "")),
            "pass_at": number_of(str(shown["judge.pass_at"] or "")),
        }
        checks = {**switches["checks"], "defaults": self.checks.read()}
        return {**switches, "checks": checks, "judge": judge, "review_by_person": shown["review_by_person"]}

    def began_from(self) -> int | None:
        """The revision that the change began from."""
        return number if isinstance(number := number_of(str(self["revision"].value() or "0")), int) else None

    def on_screen(self) -> Settings:
        """What would be graded and how if this were saved, as far as it can be read (SC-25)."""
        body = self.body()
        judge = body["judge"]
        return Settings(
            on=frozenset(one for one in Evaluator if body[one.value]["enabled"]),
            must_pass=frozenset(one for one in Evaluator if body[one.value]["must_pass"]),
            default_checks=tuple(body["checks"]["defaults"]),
            criteria=tuple(Criterion(**criterion) for criterion in judge["criteria"]),
            judge_agent=judge["agent"],
            judge_model=judge["model"],
            instructions=judge["instructions"],
            scale=2,
            pass_at=2,
            review_by_person=body["review_by_person"] or "none",
        )

    def unsaved_cards(self, stored: Json) -> list[str]:
        """The cards that hold something else than what is stored."""
        body = self.body()
        return [card for card, names in CARDS.items() if not all(same_json(body[one], stored[one]) for one in names)]

    def in_words(self, path: str, value: Any) -> list[str]:
        """The value of a setting as its field shows it, in paragraphs."""
        if path == "checks.defaults":
            return [rule_in_words(check) for check in value]
        if path == "judge.criteria":
            return [f"{one['name']}: {one['criterion']}" for one in value]
        if isinstance(value, bool):
            return [str(_("On") if value else _("Off"))]
        choices = dict(getattr(self.fields[FIELDS[path]], "choices", ()))
        return [str(choices.get("" if value is None else value, value))]

    # --- What is wrong

    def show(self, error: Invalid) -> None:
        """Each problem at its field or its row; what is wrong with the whole stands above all."""
        for problem in error.problems:
            if problem.field in FIELDS:
                self.add_error(FIELDS[problem.field], problem.message)
            elif problem.field.startswith("judge.criteria"):
                self.criteria.show(_inside(problem, "judge.criteria"))
            elif problem.field.startswith("checks.defaults"):
                inner = _inside(problem, "checks.defaults")
                if not self.checks.show(inner):
                    self.list_errors.append(problem.message)
            else:
                self.add_error(None, problem.message)

    @property
    def has_row_errors(self) -> bool:
        return bool(self.list_errors) or self.checks.has_errors or self.criteria.has_errors

    @property
    def has_problems(self) -> bool:
        return bool(self.errors) or self.has_row_errors

    @property
    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Label, place and words of each problem, in the order of the page."""
        yield from ((str(_("Default checks")), "checks-list", said) for said in self.list_errors)
        yield from self.checks.problems()
        yield from self.criteria.problems()
        for path, field in FIELDS.items():
            yield from ((label_of(path), self[field].id_for_label, str(said)) for said in self[field].errors)


def most_rows() -> Mapping[str, int]:
    """How many rows each list may have."""
    return {"checks": LIMITS.default_checks, "criteria": LIMITS.criteria}


def label_of(path: str) -> str:
    """What a setting is called where it stands alone, away from its card."""
    if path in ALONE:
        return str(ALONE[path])
    group, _dot, _key = path.partition(".")
    label = str(GradingForm.base_fields[FIELDS[path]].label)
    return f"{EVALUATOR_LABELS[Evaluator(group)]}: {label}" if path.endswith(SWITCHES) else label


def choice_of(known: Iterable[tuple[str, Any]], chosen: str | None, otherwise: Any) -> Choices:
    """The choices, with the one that is chosen and not among them any more under other words."""
    choices = list(known)
    return [*choices, (chosen, otherwise)] if chosen and chosen not in dict(choices) else choices


def _at(values: Json, path: str) -> Any:
    group, dot, key = path.partition(".")
    return values[group][key] if dot else values[group]


def _switches(shown: Mapping[str, Any], evaluator: str) -> Json:
    return {key: bool(shown[f"{evaluator}.{key}"]) for key in ("enabled", "must_pass")}


def _inside(problem: Problem, path: str) -> Problem:
    return Problem(problem.field.removeprefix(path).removeprefix("."), problem.message)
