"""The console addresses of datasets."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
