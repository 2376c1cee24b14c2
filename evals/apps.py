"""The evals app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.actions import name_actions


class EvalsConfig(AppConfig):
    name = "evals"
    verbose_name = _("Test runs")

    def ready(self) -> None:
        """Name the acts of this app for the audit page."""
        name_actions(
            {
                "eval.started": _("Test run started"),
                "eval.cancelled": _("Test run cancelled"),
                "eval.resumed": _("Test run resumed"),
                "eval.made_baseline": _("Test run made the baseline"),
                "eval.archived": _("Test run archived"),
                "eval.exported": _("Test run exported"),
            }
        )
