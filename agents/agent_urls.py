"""The console addresses of agents."""

from django.urls import path

from accounts.views.sharing import sharing_paths
from agents.views import (
    agent_drafts,
    agent_helpers,
    agent_list,
    agent_page,
    agent_settings,
    agent_tools,
    agent_versions,
)
from agents.views.agent_sharing import SHARING

urlpatterns = [
    path("", agent_list.agent_list, name="agent_list"),
    path("new/", agent_list.agent_new, name="agent_new"),
    path("<id:agent_id>/", agent_page.agent_detail, name="agent_detail"),
    path("<id:agent_id>/draft/", agent_drafts.agent_draft, name="agent_draft"),
    path("<id:agent_id>/draft/discard/", agent_drafts.agent_discard, name="agent_discard"),
    path("<id:agent_id>/tools/new/", agent_tools.agent_tool_new, name="agent_tool_new"),
    path("<id:agent_id>/tools/<str:tool_name>/edit/", agent_tools.agent_tool_edit, name="agent_tool_edit"),
    path("<id:agent_id>/tools/<str:tool_name>/remove/", agent_tools.agent_tool_remove, name="agent_tool_remove"),
    path("<id:agent_id>/publish/", agent_versions.agent_publish, name="agent_publish"),
    path("<id:agent_id>/versions/<number:number>/", agent_versions.agent_version, name="agent_version"),
    path(
        "<id:agent_id>/versions/<number:number>/restore/",
        agent_versions.agent_version_restore,
        name="agent_version_restore",
    ),
    path("<id:agent_id>/compare/", agent_versions.agent_compare, name="agent_compare"),
    path("<id:agent_id>/details/", agent_settings.agent_details, name="agent_details"),
    path("<id:agent_id>/budget/", agent_settings.agent_budget, name="agent_budget"),
    path("<id:agent_id>/model/", agent_helpers.agent_helper_model, name="agent_helper_model"),
    path("<id:agent_id>/archive/", agent_settings.agent_archive, name="agent_archive"),
    path("<id:agent_id>/restore/", agent_settings.agent_restore, name="agent_restore"),
    path("<id:agent_id>/secrets/new/", agent_settings.agent_secret_new, name="agent_secret_new"),
    path(
        "<id:agent_id>/secrets/<str:secret_name>/set/",
        agent_settings.agent_secret_change,
        name="agent_secret_change",
    ),
    path(
        "<id:agent_id>/secrets/<str:secret_name>/remove/",
        agent_settings.agent_secret_remove,
        name="agent_secret_remove",
    ),
    *sharing_paths(SHARING),
]
