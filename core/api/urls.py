"""The schema and its browsable docs (PL-40)."""

from django.urls import URLPattern, path

from core.api.views import DocsView, SchemaView

urlpatterns: list[URLPattern] = [
    path("schema", SchemaView.as_view(), name="api_schema"),
    path("docs", DocsView.as_view(), name="api_docs"),
]
