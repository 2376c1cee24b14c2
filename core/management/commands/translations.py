"""`manage.py translations update|compile`: keeps the catalogues in locale/ in step with the texts."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from core import translations


class Command(BaseCommand):
    """Update after changing a text; compile at set-up."""

    help = "Extract texts into locale/ (update), or write the .mo files that Django reads (compile)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", choices=["update", "compile"])

    def handle(self, *args: Any, **options: Any) -> None:
        act = translations.update if options["act"] == "update" else translations.compile_all
        act(settings.BASE_DIR)
