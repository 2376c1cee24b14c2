"""The form of the dialog that starts a test run; what it sends is read as a start through the API is (EV-D1, EV-D3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.limits import LIMITS
from evals.logic.choices import AUTO, EvalChoices

Choices = list[tuple[str, Any]]
NOTHING = "none"
EVERY, BY_TAGS, CHOSEN, NOT_PASSED = "every", "tags", "chosen", "not_passed"
WAYS: Choices = [
    (EVERY, _("All cases")),
    (BY_TAGS, _("Cases with one of these tags")),
    (CHOSEN, _("Chosen cases")),
    (NOT_PASSED, _("Those that did not pass in an earlier test run")),
]
# What is sent for each way of choosing cases, and nothing of the others.
FIELD_OF_WAY = {BY_TAGS: "tags", CHOSEN: "case_ids", NOT_PASSED: "not_passed_in"}
# Said where nothing is chosen: sent on, it would run every case.
NONE_CHOSEN = {
    "tags": _("Choose at least one tag."),
    "case_ids": _("Choose at least one case."),
    "not_passed_in": _("Choose a test run."),
}


@dataclass(frozen=True)
class StartOffers:
    """What can be chosen from, as value and words; the newest version first."""

    agents: Choices = field(default_factory=list)
    agent_versions: Choices = field(default_factory=list)
    dataset_versions: Choices = field(default_factory=list)
    tags: Choices = field(default_factory=list)
    earlier_runs: Choices = field(default_factory=list)


class AnyChoice(forms.ChoiceField):
    """What is not offered any more is sent on: the start itself says what is wrong with it."""

    def valid_value(self, value: Any) -> bool:
        return True


class AnyChoices(forms.MultipleChoiceField):
    def valid_value(self, value: Any) -> bool:
        return True


class StartForm(forms.Form):
    """Fields are named as those of the API, so that its refusals find their place."""

    agent = AnyChoice(label=_("Agent"), required=False)
    agent_version = AnyChoice(label=_("Agent version"), required=False)
    dataset_version = AnyChoice(label=_("Dataset version"), required=False)
    which = AnyChoice(label=_("Cases"), required=False, choices=WAYS, widget=forms.RadioSelect)
    tags = AnyChoices(label=_("Tags"), required=False)
    case_ids = AnyChoices(label=_("Chosen cases"), required=False)
    not_passed_in = AnyChoice(label=_("Earlier test run"), required=False)
    repeats = AnyChoice(
        label=_("Repeats"),
        required=False,
        choices=[(str(number), str(number)) for number in range(1, LIMITS.eval_repeats + 1)],
        help_text=_("How often each case is answered. The majority decides."),
    )
    baseline = AnyChoice(label=_("Compare with"), required=False)
    confirm_changes = forms.BooleanField(
        label=_("Confirm what changed"),
        required=False,
        help_text=_("Cases whose result differs are answered again before a regression counts."),
    )
    max_cost_usd = forms.CharField(
        label=_("Cost limit"), required=False, help_text=_("In US dollars. The test run stops when it is reached.")
    )
    label = forms.CharField(label=_("Label"), required=False, max_length=LIMITS.eval_label_characters)
    allow_unscored = forms.BooleanField(
        label=_("Start anyway: what the judge would grade stays unscored"), required=False
    )

    def __init__(self, data: Any = None, *, offers: StartOffers, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="eval-%s", initial=dict(initial or {}))
        self._offer("agent", [("", _("Choose an agent")), *offers.agents])
        self._offer("agent_version", offers.agent_versions)
        self._offer("dataset_version", offers.dataset_versions)
        self._offer("tags", _with_chosen(offers.tags, self["tags"].value()))
        self._offer("not_passed_in", [("", _("Choose a test run")), *offers.earlier_runs])
        automatic = [(AUTO, _("The baseline, or the latest test run")), (NOTHING, _("Nothing"))]
        self._offer("baseline", [*automatic, *offers.earlier_runs])

    @property
    def way(self) -> str:
        """How the cases are chosen."""
        chosen = self["which"].value()
        return chosen if chosen in dict(WAYS) else EVERY

    @property
    def chosen_cases(self) -> list[str]:
        return list(self["case_ids"].value() or [])

    def lacks(self) -> str:
        """What is still to be chosen before there is anything to estimate; empty where nothing is."""
        if not self["agent"].value():
            return gettext("Choose an agent to see what the test run will cost.")
        wanted = FIELD_OF_WAY.get(self.way)
        return str(NONE_CHOSEN[wanted]) if wanted and not self[wanted].value() else ""

    def body(self) -> dict[str, Any]:
        """As the body of a request; a field without a choice is left out, so that its default holds."""
        self.full_clean()
        given = self.cleaned_data
        body: dict[str, Any] = {name: given[name] for name in ("agent", "label") if given.get(name)}
        for name in ("agent_version", "dataset_version", "repeats"):
            if given.get(name):
                body[name] = _number(given[name])
        wanted = FIELD_OF_WAY.get(self.way)
        if wanted:
            body[wanted] = given.get(wanted)
        baseline = given.get("baseline") or AUTO
        body["baseline"] = None if baseline == NOTHING else baseline
        body |= {name: bool(given.get(name)) for name in ("confirm_changes", "allow_unscored")}
        amount = (given.get("max_cost_usd") or "").strip().removeprefix("$").strip()
        return body | ({"max_cost_usd": amount} if amount else {})

    def _offer(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        self.fields[name].choices = list(choices)  # type: ignore[attr-defined]


def initial_of(choices: EvalChoices) -> dict[str, Any]:
    """The form filled with earlier choices, to run them again (EV-D51)."""
    way = next((way for way, name in FIELD_OF_WAY.items() if getattr(choices, name)), EVERY)
    amount: Decimal | None = choices.max_cost_usd
    return {
        "agent": choices.agent,
        "agent_version": str(choices.agent_version or ""),
        "dataset_version": str(choices.dataset_version or ""),
        "which": way,
        "tags": list(choices.tags),
        "case_ids": list(choices.case_ids),
        "not_passed_in": choices.not_passed_in or "",
        "repeats": str(choices.repeats),
        "baseline": choices.baseline or NOTHING,
        "confirm_changes": choices.confirm_changes,
        "max_cost_usd": "" if amount is None else str(amount),
        "label": choices.label,
        "allow_unscored": choices.allow_unscored,
    }


def _number(text: str) -> Any:
    """A whole number where it is one; anything else is refused by who reads it."""
    return int(text) if text.isdecimal() and len(text) < 10 else text


def _with_chosen(offered: Choices, chosen: Iterable[str] | None) -> Choices:
    known = {value for value, _label in offered}
    return [*offered, *((tag, tag) for tag in chosen or () if tag not in known)]
