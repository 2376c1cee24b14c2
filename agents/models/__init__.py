"""The tables of the agents app, one noun a module."""

from agents.models.agent import Agent, AgentKind, AgentState, Helper
from agents.models.agent_grant import AgentGrant
from agents.models.agent_secret import AgentSecret
from agents.models.agent_version import AgentVersion
from agents.models.connection import Connection
from agents.models.document import Document, DocumentKind, Passage
from agents.models.knowledge_base import KnowledgeBase
from agents.models.knowledge_grant import KnowledgeGrant
from agents.models.language_model import LanguageModel
from agents.models.skill import Skill
from agents.models.skill_grant import SkillGrant
from agents.models.spending import Spending

__all__ = [
    "Agent",
    "AgentGrant",
    "AgentKind",
    "AgentSecret",
    "AgentState",
    "AgentVersion",
    "Connection",
    "Document",
    "DocumentKind",
    "Helper",
    "KnowledgeBase",
    "KnowledgeGrant",
    "LanguageModel",
    "Passage",
    "Skill",
    "SkillGrant",
    "Spending",
]
