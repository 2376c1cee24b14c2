"""The core app's configuration; the app has no models."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "core"
