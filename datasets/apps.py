"""The datasets app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.actions import name_actions


class DatasetsConfig(AppConfig):
    name = "datasets"
    verbose_name = _("Datasets")

    def ready(self) -> None:
        """Name the acts of this app for the audit page."""
        name_actions(
            {
                "case.added": _("Case added"),
                "case.deleted": _("Cases deleted"),
                "case.edited": _("Case edited"),
                "case.text_removed": _("Text of cases removed from every version"),
                "dataset.changed": _("Dataset renamed or described"),
                "dataset.created": _("Dataset created"),
                "dataset.deleted": _("Dataset deleted"),
                "dataset.exported": _("Dataset exported"),
                "dataset.imported": _("Cases imported"),
                "dataset.owner_changed": _("Owner of a dataset changed"),
                "dataset.shared": _("Dataset shared"),
                "dataset.unshared": _("Sharing of a dataset ended"),
                "dataset.visibility_changed": _("Visibility of a dataset changed"),
            }
        )
