"""`manage.py demonstrate`: makes the demonstration organisation and prints its logins."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.demonstration import NAME, PASSWORD, Refused, demonstrate
from core.errors import DomainError


class Command(BaseCommand):
    """Safe to repeat; part of `make run`."""

    help = "Make the demonstration organisation Kettle & Co with one login for each role, and print the logins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--force", action="store_true", help="also in production and beside other organisations")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            logins = demonstrate(force=options["force"])
        except (Refused, DomainError) as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"» {NAME}, the demonstration, at {settings.BASE_URL}. Password of each login: {PASSWORD}")
        for login in logins:
            self.stdout.write(f"    {login.email:<26}{login.role.value}")
