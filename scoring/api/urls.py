"""The endpoints of grading and scores under /api/v1."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
