"""`manage.py worker`: runs background jobs until it is told to stop, and then lets the job in hand finish."""

import ctypes
import os
import signal
import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

PR_SET_PDEATHSIG = 1


class Command(BaseCommand):
    """django-q2's cluster in a session of its own.

    Its guard, its feeder and its workers end in an orderly way only when the cluster's first process alone gets the
    signal; whoever stops a process group (a terminal, honcho, a service manager) would hit them all, lose the job in
    hand and leave the first process waiting for ever. So the group holds only this process, which passes the word on.
    """

    help = "Run background jobs. Stops in an orderly way on SIGTERM or Ctrl-C; start as many as you like."

    def handle(self, *args: Any, **options: Any) -> None:
        connections.close_all()
        parent = os.getpid()
        cluster = os.fork()
        if cluster == 0:
            os.setsid()
            _end_with(parent)
            call_command("qcluster")
            return
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, lambda *_: os.kill(cluster, signal.SIGTERM))
        _, status = os.waitpid(cluster, 0)
        sys.exit(os.waitstatus_to_exitcode(status))


def _end_with(parent: int) -> None:
    """Have the system send SIGTERM when the parent dies, however it dies, so that no cluster goes on unseen."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(1)
