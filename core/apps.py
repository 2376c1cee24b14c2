"""The core app's configuration; the app has no models."""

from django.apps import AppConfig

from core.api import converters


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        converters.register()
