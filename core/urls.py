"""The console addresses that belong to no app: the way in."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from core.views.markdown_preview import markdown_preview

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="dashboard"), name="home"),
    path("markdown/preview", markdown_preview, name="markdown_preview"),
]
