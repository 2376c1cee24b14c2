"""The console addresses of models and connections."""

from django.urls import include, path

from agents.views import connections, language_models

urlpatterns = [
    path("agents/", include("agents.agent_urls")),
    path("models/", connections.connection_list, name="connection_list"),
    path("models/new/", connections.connection_new, name="connection_new"),
    path("models/connections/<id:connection_id>/", connections.connection_edit, name="connection_edit"),
    path("models/connections/<id:connection_id>/remove/", connections.connection_remove, name="connection_remove"),
    path("models/connections/<id:connection_id>/models/new/", language_models.model_new, name="model_new"),
    path("models/<id:model_id>/", language_models.model_edit, name="model_edit"),
    path("models/<id:model_id>/remove/", language_models.model_remove, name="model_remove"),
    path("models/<id:model_id>/try/", language_models.model_try, name="model_try"),
    path("skills/", include("agents.skill_urls")),
    path("knowledge/", include("agents.knowledge_urls")),
]
