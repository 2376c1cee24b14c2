"""The sharing of skills: the words and the addresses of its pages (PL-5)."""

from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.views.sharing_pages import SharingNames, SharingPages, SharingWords
from agents.models import Skill


def _back(skill_id: UUID) -> str:
    return reverse("skill", args=[skill_id]) + "?tab=sharing"


SHARING = SharingPages(
    model=Skill,
    list_name="skill_list",
    page_name="skill",
    back=_back,
    names=SharingNames.of("skill"),
    words=SharingWords(
        list_label=_("Skills"),
        share=_("Share the skill"),
        hand_over=_("Hand the skill over"),
        can_read=_("View: read it and give it to agents"),
        can_edit=_("Edit: also change, share and delete it"),
        everyone=_("Every member of %(name)s can read it."),
        gaining=ngettext_lazy("%(shown)s more member will see it.", "%(shown)s more members will see it.", "n"),
        no_longer_shared=_("The skill is no longer shared with %(name)s."),
        owns_it_now=_("%(name)s owns the skill now."),
    ),
)
