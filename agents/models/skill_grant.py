"""SkillGrant: access to one skill given to one member (PL-5)."""

from django.db import models

from accounts.access import Grant
from agents.models.skill import Skill


class SkillGrant(Grant):
    """The user, the level as a permission, and the skill; read and written by accounts/access.py alone."""

    content_object = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="grants")
