"""`manage.py settings_docs`: writes docs/settings.md anew after a change of a variable or a limit."""

from typing import Any

from django.core.management.base import BaseCommand

from config import settings_page


class Command(BaseCommand):
    """Run it after a change of config/environment.py or core/limits.py."""

    help = "Write docs/settings.md from the tables in the code."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        settings_page.write()
