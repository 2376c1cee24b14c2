"""`manage.py add_local_agent`: an agent that answers with the small model of `make local-model`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.local_agent import add_local_agent, owner_to_add_for


class Command(BaseCommand):
    """Safe to repeat; part of `make run MODEL=local`."""

    help = "Connect the small model on this machine in the oldest organisation, and publish an agent that uses it."

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_to_add_for()
        if owner is None:
            raise CommandError("Nobody has set up an organisation yet. Do so, then start again with MODEL=local.")
        agent = add_local_agent(owner)
        self.stdout.write(f"» “{agent.name}” of {owner.organisation} answers with a small model on this machine.")
