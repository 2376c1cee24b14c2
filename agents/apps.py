"""The agents app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.actions import name_actions


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = _("Agents")

    def ready(self) -> None:
        """Name the acts of this app for the audit page."""
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
                "model.added": _("Model added"),
                "model.changed": _("Model changed"),
                "model.removed": _("Model removed"),
                "model.tried": _("Model tried"),
            }
        )
