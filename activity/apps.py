"""The activity app's configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.actions import name_actions
from activity.queries.question_words import keep_triggers


class ActivityConfig(AppConfig):
    name = "activity"
    verbose_name = pgettext_lazy("list of all runs", "Activity")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, and keep the index of questions."""
        post_migrate.connect(_keep_index_of_questions, sender=self)
        name_actions(
            {
                "conversation.changed": _("Conversation changed"),
                "conversation.deleted": _("Conversation deleted"),
                "conversation.visibility_changed": _("Who sees a conversation changed"),
                "run.deleted": _("Run deleted"),
            }
        )


def _keep_index_of_questions(using: str, **_more: Any) -> None:
    keep_triggers(using)
