"""The endpoints of accounts under /api/v1."""

from django.urls import URLPattern, path

from accounts.api import me
from accounts.api import schema as schema  # registers how the schema names our credentials

urlpatterns: list[URLPattern] = [
    path("me", me.Me.as_view(), name="api_me"),
]
