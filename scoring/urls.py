"""The console addresses of grading and scores; each names the dataset it is about."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
