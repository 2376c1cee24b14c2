"""The activity app's configuration."""

from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class ActivityConfig(AppConfig):
    name = "activity"
    verbose_name = pgettext_lazy("list of all runs", "Activity")
