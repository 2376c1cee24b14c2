"""The tables of the agents app, one noun a module."""

from agents.models.agent import Agent, AgentKind, AgentState, Helper
from agents.models.agent_grant import AgentGrant
from agents.models.agent_secret import AgentSecret
from agents.models.agent_version import AgentVersion
from agents.models.connection import Connection
from agents.models.language_model import LanguageModel
from agents.models.spending import Spending

__all__ = [
    "Agent",
    "AgentGrant",
    "AgentKind",
    "AgentSecret",
    "AgentState",
    "AgentVersion",
    "Connection",
    "Helper",
    "LanguageModel",
    "Spending",
]
