"""The scoring app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.actions import name_actions


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = _("Scoring")

    def ready(self) -> None:
        """Name the acts of this app for the audit page."""
        name_actions(
            {
                "scoring.changed": _("Grading of a dataset changed"),
                "score.asked": _("Answer scored against a case"),
                "score.asked_again": _("Answers scored again"),
                "scores.stored_answers": _("Stored answers scored"),
                "scores.stored_answers_deleted": _("Set of stored answers deleted"),
            }
        )
