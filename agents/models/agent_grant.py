"""AgentGrant: access to one agent given to one member (PL-5)."""

from django.db import models

from accounts.access import Grant
from agents.models.agent import Agent


class AgentGrant(Grant):
    """The user, the level as a permission, and the agent; read and written by accounts/access.py alone."""

    content_object = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="grants")
