"""The sharing of datasets: the words and the addresses of its pages (ACC-1, ACC-3, ACC-13)."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.views.sharing_pages import SharingNames, SharingPages, SharingWords
from datasets.models import Dataset
from datasets.views.addresses import page_address


def _back(dataset_id: UUID) -> str:
    return page_address(dataset_id, tab="settings", part="sharing")


SHARING = SharingPages(
    model=Dataset,
    list_name="dataset_list",
    page_name="dataset",
    back=_back,
    names=SharingNames(
        visibility="sharing_visibility",
        owner="dataset_owner",
        new="sharing_new",
        level="sharing_level",
        remove="sharing_remove",
    ),
    words=SharingWords(
        list_label=_("Datasets"),
        share=_("Share the dataset"),
        hand_over=_("Hand the dataset over"),
        can_read=_("View: read its cases and versions, and export them"),
        can_edit=_("Edit: also change cases, import, share and delete"),
        everyone=_("Every member of %(name)s can read its cases and versions."),
        gaining=ngettext_lazy(
            "%(shown)s more member will see it, with all its cases and versions.",
            "%(shown)s more members will see it, with all its cases and versions.",
            "n",
        ),
        no_longer_shared=_("The dataset is no longer shared with %(name)s."),
        owns_it_now=_("%(name)s owns the dataset now."),
    ),
)
