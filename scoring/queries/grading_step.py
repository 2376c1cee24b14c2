"""How far grading is set up: the second of the four steps, and what the form of a case says about it (DS-25, SC-42)."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actor import Actor
from datasets.models import Dataset
from datasets.places import StepState
from scoring.logic.findings import Evaluator
from scoring.queries.grading_warnings import lacks_model
from scoring.queries.settings import settings_of

# What the form of a case calls each evaluator.
CASE_KEYS = {
    Evaluator.CHECKS: "checks",
    Evaluator.TOOL_CALLS: "expected_tool_calls",
    Evaluator.JUDGE: "judge",
    Evaluator.REFERENCE_ANSWER: "reference_answer",
}


def grading_step(_actor: Actor, dataset: Dataset) -> StepState:
    """Done once somebody saved settings that can grade; until then nobody has looked at the defaults."""
    found = settings_of(dataset)
    href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode({'tab': 'settings', 'part': 'grading'})}"
    if not found.are_saved:
        return StepState(False, _("Not set up"), href)
    if lacks_model(found.settings):
        return StepState(False, _("The judge has no model"), href)
    return StepState(True, _("Set up"), href)


def evaluators_that_are_on(dataset: Dataset) -> Mapping[str, bool]:
    """By the key of each evaluator whether it is on; the defaults hold where nobody saved anything."""
    is_on = settings_of(dataset).settings.on
    return {key: one in is_on for one, key in CASE_KEYS.items()}
