"""The datasets app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts import privacy
from accounts.actions import name_actions


class DatasetsConfig(AppConfig):
    name = "datasets"
    verbose_name = _("Datasets")

    def ready(self) -> None:
        """Name the acts of this app for the audit page, and what it does about a person."""
        privacy.register(
            "datasets",
            erase="datasets.operations.erasure.erase_words_of",
            export="datasets.queries.personal_data.words_of",
            counts={
                "cases_anonymised": _("Cases anonymised"),
                "cases_replaced_in_part": _("Cases with some words replaced"),
                "cases_with_calls_or_checks_to_look_at": _("Cases whose calls or checks somebody should look at"),
                "case_revisions": _("Stored revisions reached"),
                "names_on_versions": _("Versions without the name of their author"),
            },
        )
        name_actions(
            {
                "case.added": _("Case added"),
                "case.deleted": _("Cases deleted"),
                "case.edited": _("Case edited"),
                "case.text_removed": _("Text of cases removed from every version"),
                "case.words_erased": _("Words of an erased person replaced"),
                "dataset.changed": _("Dataset renamed or described"),
                "dataset.created": _("Dataset created"),
                "dataset.deleted": _("Dataset deleted"),
                "dataset.exported": _("Dataset exported"),
                "dataset.imported": _("Cases imported"),
                "dataset.restored": _("Version of a dataset restored"),
                "dataset.owner_changed": _("Owner of a dataset changed"),
                "dataset.shared": _("Dataset shared"),
                "dataset.unshared": _("Sharing of a dataset ended"),
                "dataset.visibility_changed": _("Visibility of a dataset changed"),
            }
        )
