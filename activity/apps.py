"""The activity app's configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import privacy, retention
from accounts.actions import name_actions
from activity.queries.question_words import keep_triggers


class ActivityConfig(AppConfig):
    name = "activity"
    verbose_name = pgettext_lazy("list of all runs", "Activity")

    def ready(self) -> None:
        """Name its acts for the audit page, say what it does about a person, keep the index of questions."""
        post_migrate.connect(_keep_index_of_questions, sender=self)
        privacy.register(
            "activity",
            erase="activity.operations.erasure.erase_words_of",
            export="activity.queries.personal_data.words_of",
            counts={
                "spans_deleted": _("Spans of traces deleted"),
                "conversations_deleted": _("Conversations deleted"),
                "messages_replaced": _("Messages replaced in conversations with others"),
                "runs_without_words": _("Runs without the person's words"),
                "comments_emptied": _("Comments on answers emptied"),
            },
        )
        retention.register("activity.queries.retention.conversations_past")
        name_actions(
            {
                "conversation.changed": _("Conversation changed"),
                "conversation.deleted": _("Conversation deleted"),
                "conversation.visibility_changed": _("Who sees a conversation changed"),
                "run.deleted": _("Run deleted"),
                "runs.deleted_by_age": _("Old runs and conversations deleted"),
            }
        )


def _keep_index_of_questions(using: str, **_more: Any) -> None:
    keep_triggers(using)
