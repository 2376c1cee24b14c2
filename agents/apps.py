"""The agents app's configuration."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from accounts.actions import name_actions
from agents.queries.passage_index import PASSAGE_INDEX


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = _("Agents")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, and keep the index of passages."""
        post_migrate.connect(_keep_index_of_passages, sender=self)
        name_actions(
            {
                "agent.archived": _("Agent archived"),
                "agent.changed": _("Agent changed"),
                "agent.created": _("Agent created"),
                "agent.draft_saved": _("Draft of an agent saved"),
                "agent.owner_changed": _("Owner of an agent changed"),
                "agent.published": _("Agent published"),
                "agent.restored": _("Agent restored"),
                "agent.secret_removed": _("Secret of an agent removed"),
                "agent.secret_set": _("Secret of an agent set"),
                "agent.shared": _("Agent shared"),
                "agent.unshared": _("Sharing of an agent ended"),
                "agent.visibility_changed": _("Visibility of an agent changed"),
                "connection.added": _("Connection added"),
                "connection.changed": _("Connection changed"),
                "connection.removed": _("Connection removed"),
                "document.added": _("Document added"),
                "document.removed": _("Document removed"),
                "knowledgebase.changed": _("Knowledge base changed"),
                "knowledgebase.created": _("Knowledge base created"),
                "knowledgebase.deleted": _("Knowledge base deleted"),
                "knowledgebase.owner_changed": _("Owner of a knowledge base changed"),
                "knowledgebase.shared": _("Knowledge base shared"),
                "knowledgebase.unshared": _("Sharing of a knowledge base ended"),
                "knowledgebase.visibility_changed": _("Visibility of a knowledge base changed"),
                "model.added": _("Model added"),
                "model.changed": _("Model changed"),
                "model.removed": _("Model removed"),
                "model.tried": _("Model tried"),
                "skill.changed": _("Skill changed"),
                "skill.created": _("Skill created"),
                "skill.deleted": _("Skill deleted"),
                "skill.owner_changed": _("Owner of a skill changed"),
                "skill.shared": _("Skill shared"),
                "skill.unshared": _("Sharing of a skill ended"),
                "skill.visibility_changed": _("Visibility of a skill changed"),
            }
        )


def _keep_index_of_passages(using: str, **_more: Any) -> None:
    PASSAGE_INDEX.keep_triggers(using)
