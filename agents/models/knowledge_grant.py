"""KnowledgeGrant: access to one knowledge base given to one member (PL-5)."""

from django.db import models

from accounts.access import Grant
from agents.models.knowledge_base import KnowledgeBase


class KnowledgeGrant(Grant):
    """The user, the level as a permission, and the base; read and written by accounts/access.py alone."""

    content_object = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="grants")
