"""The console addresses of knowledge bases and their documents."""

from django.urls import path

from accounts.views.sharing import sharing_paths
from agents.views import documents, knowledge
from agents.views.knowledge_sharing import SHARING

urlpatterns = [
    path("", knowledge.knowledge_list, name="knowledge_list"),
    path("new/", knowledge.knowledge_new, name="knowledge_new"),
    path("<id:knowledge_id>/", knowledge.knowledge, name="knowledge"),
    path("<id:knowledge_id>/details/", knowledge.knowledge_details, name="knowledge_details"),
    path("<id:knowledge_id>/delete/", knowledge.knowledge_delete, name="knowledge_delete"),
    path("<id:knowledge_id>/documents/new/", documents.document_new, name="document_new"),
    path("<id:knowledge_id>/documents/<id:document_id>/", documents.document, name="document"),
    path("<id:knowledge_id>/documents/<id:document_id>/remove/", documents.document_remove, name="document_remove"),
    *sharing_paths(SHARING),
]
