"""The review app's configuration."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.actions import name_actions
from accounts.dashboard import Card, add_card
from datasets.places import Area, Part, add_part, add_step
from evals.places import set_decisions, set_review, set_review_address
from scoring.places import Reviews, follow_clearing, follow_grading, set_calibration, set_reviews


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        """Show the review of answers among a dataset's results (RV-1), take what test runs send (EV-41 to EV-44)."""
        add_part(Part(Area.RESULTS, "review", _("Review answers"), "review_answers"))
        add_step("review", _found_later("review.queries.review_step.review_step"))
        waiting = _found_later("review.queries.waiting.waiting_for_review")
        add_card(Card("review", _("Waiting for review"), "review/dashboard_card.html", 10, waiting))
        set_review(_found_later("review.operations.sending.send_of_run"))
        set_review_address("review_send")
        set_decisions(_found_later("review.queries.decided_later.decided_later"))
        listed = ("review.queries.rows.in_review", "review.queries.review_pages.segments_of")
        set_reviews(Reviews(*(_found_later(path) for path in listed)))
        set_calibration(_found_later("review.queries.agreement.calibration_of_judge"))
        privacy.register(
            "review",
            erase="review.operations.removals.erase_names_of",
            export="review.queries.personal_data.done_by",
            counts={
                "names_on_review": _("Answers sent to review without the name of who sent them"),
                "names_on_decisions": _("Decisions on answers without the name of who decided"),
                "names_on_made_criteria": _("Criteria made of notes without the name of who made them"),
            },
        )
        follow_grading("review", _found_later("review.operations.following.follow_graded"))
        follow_clearing("review", _found_later("review.operations.removals.clear_words_about"))
        name_actions(
            {
                "review.sent": _("Answers sent to review"),
                "review.withdrawn": _("Answers taken out of review"),
                "scores.exported": _("Graded answers exported"),
                "review.criterion_made": _("Note turned into a criterion"),
                "review.decided": _("Decided on an answer"),
                "review.decision_withdrawn": _("Decision on an answer withdrawn"),
            }
        )


def _found_later(path: str) -> Callable[..., Any]:
    """The function at this path, found when it is first called: models are not there yet while apps get ready."""
    return lambda *given, **named: import_string(path)(*given, **named)
