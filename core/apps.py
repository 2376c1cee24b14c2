"""The core app's configuration; the app has no models."""

import gc

from django.apps import AppConfig
from django.contrib.admin import apps as admin

from core import lookups
from core.api import converters

# Python looks for garbage in circles each 700 new objects, which takes a third of the time of a page of 10,000 cases.
# What is not in a circle goes at once, as ever.
OBJECTS_BETWEEN_COLLECTIONS = 50_000


class CoreConfig(AppConfig):
    name = "core"

    default = True

    def ready(self) -> None:
        converters.register()
        lookups.register()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


class OperatorsAdminConfig(admin.AdminConfig):
    """Django's admin on our site, which stands in INSTALLED_APPS in its place."""

    default = False
    default_site = "core.operators.OperatorsSite"
