"""The four steps that lead from an empty dataset to results worth reading (DS-25)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from core.limits import LIMITS
from datasets.models import Dataset
from datasets.places import StepState, Words, step_state

LATER = (
    ("grading", _("Set up grading"), _("Say which model grades the answers that rules alone cannot."), _("Not set up")),
    ("test", _("Test an agent"), _("Let an agent answer every case, and see what it costs first."), _("No test run")),
    (
        "review",
        _("Review the results"),
        _("Read the answers beside the cases, the worst first."),
        _("Nothing to review"),
    ),
)


@dataclass(frozen=True)
class Step:
    """One step. `is_next` for the first that is not done; `href` is empty where there is nowhere to go."""

    number: int
    name: str
    label: Words
    sentence: Words
    state: StepState
    is_next: bool


def steps_of(actor: Actor, dataset: Dataset, *, otherwise: Mapping[str, str] | None = None) -> list[Step]:
    """The four, each with its present state; `otherwise` are the addresses of steps that no app is there for."""
    elsewhere = otherwise or {}
    sentence = _("Write questions, each with what a right answer must get right.")
    states = [("cases", _("Add cases"), sentence, _cases(dataset))]
    for name, label, words, not_yet in LATER:
        none = StepState(False, not_yet, elsewhere.get(name, ""))
        states.append((name, label, words, step_state(name, actor, dataset) or none))
    first_open = next((name for name, _label, _words, state in states if not state.is_done), "")
    return [
        Step(number, name, label, words, state, name == first_open)
        for number, (name, label, words, state) in enumerate(states, 1)
    ]


def is_new(dataset: Dataset) -> bool:
    """Whether the page still leads through the steps once there are cases."""
    return timezone.now() - dataset.created_at < timedelta(days=LIMITS.new_dataset_days)


def _cases(dataset: Dataset) -> StepState:
    if not dataset.case_count:
        return StepState(False, gettext("No cases"))
    words = ngettext("%(count)d case", "%(count)d cases", dataset.case_count)
    return StepState(True, words % {"count": dataset.case_count})
