"""What the part "Grading" of a dataset's settings shows."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.queries.draft_parts import model_of
from agents.queries.language_models import models_to_choose
from datasets.models import Dataset
from datasets.queries.case_rows import CaseRows
from datasets.views.addresses import page_address
from scoring.forms.grading import REVIEW_CHOICES, Choices, GradingForm, choice_of, label_of
from scoring.logic.settings import Json
from scoring.logic.settings_changes import differences
from scoring.queries.calibrations import calibration_of_todays_judge
from scoring.queries.checkable_cases import checkable_cases, unchecked_cases
from scoring.queries.grading_warnings import warnings_for
from scoring.queries.judge_choices import judges_to_choose
from scoring.queries.settings import DatasetSettings, settings_of

# Cases named at once among those with nothing to check.
UNCHECKED_SHOWN = 50


def grading_address(dataset: Dataset) -> str:
    """The part of the dataset's page."""
    return page_address(dataset.pk, tab="settings", part="grading")


def grading_form(
    actor: Actor, found: DatasetSettings, data: Any = None, *, values: Json | None = None, revision: int | None = None
) -> GradingForm:
    """The form of what is stored, of what was sent, or of other `values` on the screen."""
    shown = values or found.stored
    choices: dict[str, Choices] = {"judges": _judges(actor, found), "models": _models(actor, found)}
    return GradingForm(data, values=shown, revision=found.revision if revision is None else revision, **choices)


def _judges(actor: Actor, found: DatasetSettings) -> Choices:
    known: Choices = [("", _("Built-in judge"))]
    for agent in judges_to_choose(actor):
        name = agent.name if agent.newest_version else _("%(name)s (not published yet)") % {"name": agent.name}
        known.append((str(agent.pk), name))
    return choice_of(known, found.settings.judge_agent, _("The judge chosen before, which you cannot choose"))


def _models(actor: Actor, found: DatasetSettings) -> Choices:
    known: Choices = [("", _("No model chosen"))]
    known += [(model.id_text, f"{model.label} · {model.connection.name}") for model in models_to_choose(actor)]
    return choice_of(known, found.settings.judge_model, _("A model that was removed"))


def form_context(actor: Actor, dataset: Dataset, found: DatasetSettings, form: GradingForm) -> dict[str, Any]:
    """The form with its counts, warnings and suggestions, for what is on the screen."""
    return {
        "found": found,
        "action": reverse("grading", args=[dataset.pk]),
        "address": grading_address(dataset),
        "runs_address": page_address(dataset.pk, tab="results", view="runs"),
        "may_add_model": access.may(actor, Permission.CONNECTIONS_MANAGE),
        "may_add_judge": access.may(actor, Permission.AGENTS_EDIT),
        "unsaved": form.unsaved_cards(found.stored),
        "calibration": calibration_of_todays_judge(actor, dataset),
        **notes_context(dataset, form),
    }


def notes_context(dataset: Dataset, form: GradingForm) -> dict[str, Any]:
    """What is said about the settings on the screen (SC-25, SC-26, SC-126)."""
    settings = form.on_screen()
    form.criteria.suggest(list(settings.default_checks))
    cases = checkable_cases(dataset, settings)
    offers = cases.reference_answers and not form["reference_answer_enabled"].value()
    warnings = warnings_for(settings, cases)
    return {"dataset": dataset, "form": form, "cases": cases, "warnings": warnings, "offers_comparison": offers}


def unchecked_context(actor: Actor, dataset: Dataset, form: GradingForm) -> dict[str, Any]:
    """The first cases that would be graded with nothing to check, as this person may see them (SC-25)."""
    rows = CaseRows(actor, unchecked_cases(dataset, form.on_screen()), dataset.newest_version)
    shown = rows[0:UNCHECKED_SHOWN]
    return {"unchecked": [(case, page_address(dataset.pk, case=case.id)) for case in shown]}


def differing(dataset: Dataset, form: GradingForm, body: Json) -> list[tuple[str, list[str], list[str]]]:
    """What is stored now and differs from what was written, in the words of the form: label, stored, written."""
    found = differences(settings_of(dataset).stored, body)
    return [(label_of(one.key), form.in_words(one.key, one.old), form.in_words(one.key, one.new)) for one in found]


def read_context(actor: Actor, dataset: Dataset) -> dict[str, Any]:
    """How the dataset is graded, for who may only read it."""
    found = settings_of(dataset)
    settings = found.settings
    cases = checkable_cases(dataset, settings)
    return {
        "dataset": dataset,
        "found": found,
        "settings": settings,
        "stored": found.stored,
        "cases": cases,
        "model": model_of(dataset.organisation_id, settings.judge_model),
        "warnings": warnings_for(settings, cases),
        "review": dict(REVIEW_CHOICES)[settings.review_by_person],
        "calibration": calibration_of_todays_judge(actor, dataset),
        "runs_address": page_address(dataset.pk, tab="results", view="runs"),
        "address": grading_address(dataset),
    }
