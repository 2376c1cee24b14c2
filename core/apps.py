"""The core app's configuration; the app has no models."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin

from core.api import converters


class CoreConfig(AppConfig):
    name = "core"

    default = True

    def ready(self) -> None:
        converters.register()


class OperatorsAdminConfig(admin.AdminConfig):
    """Django's admin on our site, which stands in INSTALLED_APPS in its place."""

    default = False
    default_site = "core.operators.OperatorsSite"
