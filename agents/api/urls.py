"""The endpoints of connections and models under /api/v1."""

from django.urls import path

from agents.api.connections import ConnectionDetail, ConnectionList
from agents.api.language_models import ConnectionModels, ModelDetail, ModelList, ModelTrial

urlpatterns = [
    path("connections", ConnectionList.as_view(), name="api_connections"),
    path("connections/<id:connection_id>", ConnectionDetail.as_view(), name="api_connection"),
    path("connections/<id:connection_id>/models", ConnectionModels.as_view(), name="api_connection_models"),
    path("models", ModelList.as_view(), name="api_models"),
    path("models/<id:model_id>", ModelDetail.as_view(), name="api_model"),
    path("models/<id:model_id>/try", ModelTrial.as_view(), name="api_model_try"),
]
