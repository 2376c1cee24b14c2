"""The scoring app's configuration."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.actions import name_actions
from activity.places import RunAct, add_run_act
from datasets.places import (
    Act,
    Area,
    Holding,
    Opens,
    Part,
    Place,
    add_act,
    add_holding,
    add_part,
    add_step,
    add_text_removal,
)


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Scoring")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, fill the pages of runs and datasets."""
        _show_grading()
        _show_scores()
        _let_scores_be_cleared()
        name_actions(
            {
                "scoring.changed": _("Grading of a dataset changed"),
                "score.asked": _("Answer scored against a case"),
                "score.asked_again": _("Answers scored again"),
                "scores.stored_answers": _("Stored answers scored"),
                "scores.stored_answers_deleted": _("Set of stored answers deleted"),
            }
        )


def _show_grading() -> None:
    """Grading among a dataset's settings, in the four steps and in the form of a case (SC-20, SC-42, DS-25)."""
    add_part(Part(Area.SETTINGS, "grading", _("Grading"), "grading"))
    add_step("grading", _found_later("scoring.queries.grading_step.grading_step"))
    answer_grading = import_string("datasets.queries.evaluators.answer_grading")
    answer_grading(_found_later("scoring.queries.grading_step.evaluators_that_are_on"))


def _show_scores() -> None:
    """Scoring in the menu of a run (SC-154), and stored answers among a dataset's results."""
    offer_to_score = _found_later("scoring.queries.run_scoring.offer_to_score")
    add_run_act(RunAct(_("Score against a case"), "gauge", "run_score", offer_to_score))
    add_part(Part(Area.RESULTS, "stored", _("Stored answers"), "answer_sets"))
    offer_to_run = _found_later("datasets.queries.running.offer_to_run")
    label = _("Score stored answers")
    add_act(Act(Place.RUNS, label, "file-check", "answer_set_new", opens=Opens.DIALOG, offer=offer_to_run))


def _let_scores_be_cleared() -> None:
    """What goes with a person, with the text of cases, and with a dataset (SC-151, ACC-48, DS-D17)."""
    privacy.register(
        "scoring",
        erase="scoring.operations.removals.erase_words_of",
        export="scoring.queries.personal_data.answers_to",
        counts={
            "answers_cleared": _("Graded answers cleared, with what was said about them"),
            "names_on_scores": _("Scores and grading settings without the name of who asked"),
        },
    )
    add_text_removal("scores", _found_later("scoring.operations.removals.remove_words_about_cases"))
    count, delete = (_found_later(f"scoring.operations.removals.{name}") for name in ("count_scores", "delete_scores"))
    add_holding("scores", Holding(_("Scores of answers"), count, before_deletion=delete))


def _found_later(path: str) -> Callable[..., Any]:
    """The function at this path, found when it is first called: models are not there yet while apps get ready."""
    return lambda *given: import_string(path)(*given)
