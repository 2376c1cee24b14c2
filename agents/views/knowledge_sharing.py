"""The sharing of knowledge bases: the words and the addresses of its pages (PL-5)."""

from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.views.sharing_pages import SharingNames, SharingPages, SharingWords
from agents.models import KnowledgeBase


def _back(knowledge_base_id: UUID) -> str:
    return reverse("knowledge", args=[knowledge_base_id]) + "?tab=sharing"


SHARING = SharingPages(
    model=KnowledgeBase,
    list_name="knowledge_list",
    page_name="knowledge",
    back=_back,
    names=SharingNames.of("knowledge"),
    words=SharingWords(
        list_label=_("Knowledge"),
        share=_("Share the knowledge base"),
        hand_over=_("Hand the knowledge base over"),
        can_read=_("View: read and search its documents, and give it to agents"),
        can_edit=_("Edit: also add and remove documents, share and delete it"),
        everyone=_("Every member of %(name)s can read and search its documents."),
        gaining=ngettext_lazy(
            "%(shown)s more member will see it, with all its documents.",
            "%(shown)s more members will see it, with all its documents.",
            "n",
        ),
        no_longer_shared=_("The knowledge base is no longer shared with %(name)s."),
        owns_it_now=_("%(name)s owns the knowledge base now."),
    ),
)
