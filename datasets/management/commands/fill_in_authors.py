"""`manage.py fill_in_authors`: whose words the cases from conversations hold, from the links they still have."""

from typing import Any

from django.core.management.base import BaseCommand

from datasets.operations.authors_of_old_cases import fill_in_authors


class Command(BaseCommand):
    """Counts what it filled in and what it left; may be run again (ACC-59, ACC-D42)."""

    help = "Fill in whose words cases from conversations hold, from the links they still have."

    def handle(self, *args: Any, **options: Any) -> None:
        done = fill_in_authors()
        self.stdout.write(f"Filled in: {done.filled}. Left without authors: {done.without}.")
