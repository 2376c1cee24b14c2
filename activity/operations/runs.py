"""Deleting a run with what was said in it."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from activity.models import Conversation, Message, Run, RunStatus
from activity.queries.runs import find_run
from core.errors import Conflict


@transaction.atomic
def delete_run(actor: Actor, *, run_id: UUID) -> None:
    """Delete the run with its messages and their ratings; its conversation too, where nothing else was said in it.

    What it cost stays spent (PL-25), and cases taken from it stay (ACC-44). Raises `NotFound` where the actor may not
    read it, `NotAllowed` without `organisation:manage`, and `Conflict` while it is running.
    """
    run = find_run(actor, run_id)
    access.require(actor, Permission.ORGANISATION_MANAGE)
    locked = Run.objects.select_for_update().get(pk=run.pk)
    if locked.status == RunStatus.RUNNING:
        raise Conflict("run_running", _("The run is still going on. Delete it once it has ended."))
    messages = Message.objects.filter(run=locked)
    audit.record(actor, "run.deleted", locked, kind=str(locked.kind), messages=messages.count())
    messages.delete()
    locked.delete()
    if run.conversation is not None:
        Conversation.objects.filter(pk=run.conversation.pk, messages=None, runs=None).delete()
