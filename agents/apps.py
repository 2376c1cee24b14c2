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
                "connection.added": _("Connection added"),
                "connection.changed": _("Connection changed"),
                "connection.removed": _("Connection removed"),
                "model.added": _("Model added"),
                "model.changed": _("Model changed"),
                "model.removed": _("Model removed"),
                "model.tried": _("Model tried"),
            }
        )
