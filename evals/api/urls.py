"""The endpoints of test runs under /api/v1."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
