"""The endpoints of agents, connections and models under /api/v1."""

from django.urls import path

from accounts.api.sharing import GrantDetail, GrantList
from agents.api.agent_spending import AgentSpending
from agents.api.agent_versions import (
    AgentDraft,
    AgentSecretDetail,
    AgentSecrets,
    AgentVersionChanges,
    AgentVersionDetail,
    AgentVersionRestore,
    AgentVersions,
)
from agents.api.agents import AgentArchive, AgentDetail, AgentList, AgentOwner, AgentRestore
from agents.api.connections import ConnectionDetail, ConnectionList
from agents.api.documents import DocumentDetail, DocumentList, PassageList
from agents.api.helper_agents import HelperDetail, HelperList
from agents.api.knowledge import KnowledgeDetail, KnowledgeList, KnowledgeOwner, KnowledgeSearch
from agents.api.language_models import ConnectionModels, ModelDetail, ModelList, ModelTrial
from agents.api.skills import SkillDetail, SkillList, SkillOwner
from agents.models import Agent, KnowledgeBase, Skill

urlpatterns = [
    path("agents", AgentList.as_view(), name="api_agents"),
    path("agents/<id:agent_id>", AgentDetail.as_view(), name="api_agent"),
    path("agents/<id:agent_id>/draft", AgentDraft.as_view(), name="api_agent_draft"),
    path("agents/<id:agent_id>/versions", AgentVersions.as_view(), name="api_agent_versions"),
    path("agents/<id:agent_id>/versions/<number:number>", AgentVersionDetail.as_view(), name="api_agent_version"),
    path(
        "agents/<id:agent_id>/versions/<number:number>/changes",
        AgentVersionChanges.as_view(),
        name="api_agent_version_changes",
    ),
    path(
        "agents/<id:agent_id>/versions/<number:number>/restore",
        AgentVersionRestore.as_view(),
        name="api_agent_version_restore",
    ),
    path("agents/<id:agent_id>/spending", AgentSpending.as_view(), name="api_agent_spending"),
    path("helpers", HelperList.as_view(), name="api_helpers"),
    path("helpers/<str:helper>", HelperDetail.as_view(), name="api_helper"),
    path("agents/<id:agent_id>/archive", AgentArchive.as_view(), name="api_agent_archive"),
    path("agents/<id:agent_id>/restore", AgentRestore.as_view(), name="api_agent_restore"),
    path("agents/<id:agent_id>/secrets", AgentSecrets.as_view(), name="api_agent_secrets"),
    path("agents/<id:agent_id>/secrets/<str:secret_name>", AgentSecretDetail.as_view(), name="api_agent_secret"),
    path(
        "agents/<id:agent_id>/grants",
        GrantList.as_view(kind=Agent, grant_name="api_agent_grant"),
        name="api_agent_grants",
    ),
    path("agents/<id:agent_id>/grants/<id:member_id>", GrantDetail.as_view(kind=Agent), name="api_agent_grant"),
    path("agents/<id:agent_id>/owner", AgentOwner.as_view(), name="api_agent_owner"),
    path("connections", ConnectionList.as_view(), name="api_connections"),
    path("connections/<id:connection_id>", ConnectionDetail.as_view(), name="api_connection"),
    path("connections/<id:connection_id>/models", ConnectionModels.as_view(), name="api_connection_models"),
    path("models", ModelList.as_view(), name="api_models"),
    path("models/<id:model_id>", ModelDetail.as_view(), name="api_model"),
    path("models/<id:model_id>/try", ModelTrial.as_view(), name="api_model_try"),
    path("skills", SkillList.as_view(), name="api_skills"),
    path("skills/<id:skill_id>", SkillDetail.as_view(), name="api_skill"),
    path("skills/<id:skill_id>/owner", SkillOwner.as_view(), name="api_skill_owner"),
    path(
        "skills/<id:skill_id>/grants",
        GrantList.as_view(kind=Skill, grant_name="api_skill_grant"),
        name="api_skill_grants",
    ),
    path("skills/<id:skill_id>/grants/<id:member_id>", GrantDetail.as_view(kind=Skill), name="api_skill_grant"),
    path("knowledge", KnowledgeList.as_view(), name="api_knowledge"),
    path("knowledge/<id:knowledge_id>", KnowledgeDetail.as_view(), name="api_knowledge_base"),
    path("knowledge/<id:knowledge_id>/search", KnowledgeSearch.as_view(), name="api_knowledge_search"),
    path("knowledge/<id:knowledge_id>/owner", KnowledgeOwner.as_view(), name="api_knowledge_owner"),
    path(
        "knowledge/<id:knowledge_id>/grants",
        GrantList.as_view(kind=KnowledgeBase, grant_name="api_knowledge_grant"),
        name="api_knowledge_grants",
    ),
    path(
        "knowledge/<id:knowledge_id>/grants/<id:member_id>",
        GrantDetail.as_view(kind=KnowledgeBase),
        name="api_knowledge_grant",
    ),
    path("knowledge/<id:knowledge_id>/documents", DocumentList.as_view(), name="api_documents"),
    path("knowledge/<id:knowledge_id>/documents/<id:document_id>", DocumentDetail.as_view(), name="api_document"),
    path(
        "knowledge/<id:knowledge_id>/documents/<id:document_id>/passages",
        PassageList.as_view(),
        name="api_passages",
    ),
]
