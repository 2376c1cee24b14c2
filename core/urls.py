"""The console addresses that belong to no app: the way in."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

urlpatterns: list[URLPattern] = [
    path("", RedirectView.as_view(pattern_name="dataset_list"), name="home"),
]
