"""The address of the component gallery, mounted at /ui/ in development."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
