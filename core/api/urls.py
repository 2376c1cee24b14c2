"""The schema and its browsable docs (PL-40)."""

from django.urls import URLPattern, path
from drf_spectacular.views import SpectacularAPIView

urlpatterns: list[URLPattern] = [path("schema", SpectacularAPIView.as_view(), name="api_schema")]
