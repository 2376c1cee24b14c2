"""The console addresses of test runs."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
