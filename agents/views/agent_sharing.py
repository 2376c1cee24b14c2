"""The sharing of agents: the words and the addresses of its pages (PL-5)."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.views.sharing_pages import SharingNames, SharingPages, SharingWords
from agents.models import Agent
from agents.views.agent_addresses import agent_address


def _back(agent_id: UUID) -> str:
    return agent_address(agent_id, tab="settings", part="sharing")


SHARING = SharingPages(
    model=Agent,
    list_name="agent_list",
    page_name="agent_detail",
    back=_back,
    names=SharingNames.of("agent"),
    words=SharingWords(
        list_label=_("Agents"),
        share=_("Share the agent"),
        hand_over=_("Hand the agent over"),
        can_read=_("View: read its instructions, tools and versions"),
        can_edit=_("Edit: also change and publish it, share and archive"),
        everyone=_("Every member of %(name)s can read its instructions, tools and versions."),
        gaining=ngettext_lazy(
            "%(shown)s more member will see it, with its instructions, tools and versions.",
            "%(shown)s more members will see it, with its instructions, tools and versions.",
            "n",
        ),
        no_longer_shared=_("The agent is no longer shared with %(name)s."),
        owns_it_now=_("%(name)s owns the agent now."),
    ),
)
