"""The evals app's configuration."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.actions import name_actions
from accounts.dashboard import Card, add_card
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
from scoring.places import SetFollower, TestRuns, follow_sets, set_test_runs


class EvalsConfig(AppConfig):
    name = "evals"
    verbose_name = _("Test runs")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, and tell the apps below what test runs hold of theirs."""
        _show_runs()
        recent, offer = (_found_later(f"evals.queries.recent.{name}") for name in ("recent_runs", "reads_runs"))
        title, template = _("Recent test runs"), "evals/dashboard_card.html"
        add_card(Card("evals", title, template, 30, recent, offer, wide=True, follows=True))
        _tell_of_scores()
        _follow_stored_answers()
        privacy.register(
            "evals",
            erase="evals.operations.removals.erase_names_of",
            export="evals.queries.personal_data.started_by",
            counts={"names_on_test_runs": _("Test runs without the name of who started them")},
        )
        count, delete = (
            _found_later(f"evals.operations.dataset_deletion.{name}") for name in ("count_runs", "delete_runs")
        )
        add_holding("evals", Holding(_("Test runs"), count, before_deletion=delete))
        add_text_removal("evals", _found_later("evals.operations.removals.remove_words_of_attempts"))
        name_actions(
            {
                "eval.started": _("Test run started"),
                "eval.cancelled": _("Test run cancelled"),
                "eval.graded_anew": _("Answers of a test run scored anew"),
                "eval.resumed": _("Test run resumed"),
                "eval.made_baseline": _("Test run made the baseline"),
                "eval.ended_baseline": _("Test run no longer the baseline"),
                "eval.archived": _("Test run archived"),
                "eval.brought_back": _("Test run brought back"),
                "eval.exported": _("Test run exported"),
            }
        )


def _show_runs() -> None:
    """The test runs among a dataset's results, Run evals in every area, and the third of the four steps (EV-1, EV-4).

    Who reads no runs is told on the dataset's page what a test run is and why it cannot be started (EV-30).
    """
    reads_runs = _found_later("evals.queries.testing_step.offer_to_read_runs")
    add_part(Part(Area.RESULTS, "runs", _("Test runs"), "evals", offer=reads_runs))
    offer_to_start = _found_later("evals.queries.testing_step.offer_to_start")
    add_act(Act(Place.EVERYWHERE, _("Run evals"), "play", "evals-start", opens=Opens.DIALOG, offer=offer_to_start))
    add_step("test", _found_later("evals.queries.testing_step.testing_step"))


def _tell_of_scores() -> None:
    """Which test run a score is part of, for the review of answers (EV-16, EV-46, EV-47)."""
    names = ("runs_of_scores", "newest_runs", "scores_of_run")
    of_scores, newest, only = (_found_later(f"evals.queries.run_links.{name}") for name in names)
    set_test_runs(TestRuns(of_scores, newest, only))


def _follow_stored_answers() -> None:
    """Each set of stored answers becomes a test run once it is graded, and takes that with it when it is deleted."""
    graded, before_deletion, run_of = (
        _found_later(f"evals.{path}")
        for path in (
            "operations.stored_runs.make_run_of_set",
            "operations.stored_runs.delete_run_of_set",
            "queries.stored_runs.run_of_set",
        )
    )
    follow_sets("evals", SetFollower(graded, before_deletion, run_of))


def _found_later(path: str) -> Callable[..., Any]:
    """The function at this path, found when it is first called: models are not there yet while apps get ready."""
    return lambda *given: import_string(path)(*given)
