"""The console addresses of skills."""

from django.urls import path

from accounts.views.sharing import sharing_paths
from agents.views import skills
from agents.views.skill_sharing import SHARING

urlpatterns = [
    path("", skills.skill_list, name="skill_list"),
    path("new/", skills.skill_new, name="skill_new"),
    path("<id:skill_id>/", skills.skill, name="skill"),
    path("<id:skill_id>/delete/", skills.skill_delete, name="skill_delete"),
    *sharing_paths(SHARING),
]
