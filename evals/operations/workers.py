"""Workers at test runs: one at a run at a time, and how many calls each may have in flight (EV-D21, EV-D29, EV-D30)."""

import time
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import Organisation
from evals.logic.shares import fair_shares
from evals.models import FINAL_STATES, EvalRun, EvalState, Worker
from evals.operations.queueing import begin_queued

# What cannot be shared evenly goes to somebody else after so many seconds.
TURN_SECONDS = 15
# A worker says so many times within a lease that it lives, and is believed to for twice as long (EV-D29).
SIGNS_A_LEASE = 12


def live_workers() -> QuerySet[Worker]:
    """Those that are believed to be at work."""
    return Worker.objects.filter(alive_until__gt=timezone.now())


@transaction.atomic
def enter(run_id: UUID, turn: int | None) -> Worker | None:
    """Become the worker of a run that is at work, or that may begin now; None where there is nothing to be done here.

    Nothing is done for a run that has ended or must wait in its queue, for another turn than the run's (a job delivered
    twice), and beside another worker that still begins attempts.
    """
    organisation_id = EvalRun.objects.filter(pk=run_id).values_list("organisation_id", flat=True).first()
    if organisation_id is None:
        return None
    lock_organisation(organisation_id)
    begin_queued(organisation_id, besides=run_id)
    run = EvalRun.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run_id).first()
    if run is None or run.state in (*FINAL_STATES, EvalState.QUEUED) or turn not in (None, run.turn):
        return None
    if live_workers().filter(run=run, is_leaving=False).exists():
        return None
    EvalRun.objects.filter(pk=run_id).update(turn=F("turn") + 1)
    Worker.objects.filter(run=run, alive_until__lte=timezone.now()).delete()
    worker = Worker(run=run, wanted=settings.EVAL_CONCURRENCY_PER_RUN, alive_until=_alive_until())
    worker.save(force_insert=True)
    worker.run.turn += 1
    return worker


@transaction.atomic
def renew(worker: Worker, *, wanted: int, in_flight: int) -> int:
    """Say that the worker lives, and how many calls it could have in flight; how many it may.

    Nobody is given a place that another still uses: one that has to give places up does so as its calls end.
    """
    lock_organisation(worker.run.organisation_id)
    all_of_them = live_workers().filter(run__organisation=worker.run.organisation_id).order_by("pk")
    others = [one for one in all_of_them if one.pk != worker.pk]
    worker.wanted = 0 if worker.is_leaving else wanted
    places = _granted(worker, others)
    worker.places, worker.alive_until = max(places, in_flight), _alive_until()
    kept = {name: getattr(worker, name) for name in ("places", "wanted", "is_leaving", "alive_until")}
    if not Worker.objects.filter(pk=worker.pk).update(**kept):
        # Believed dead by a worker that entered meanwhile; what it finishes is stored all the same.
        worker.is_leaving = True
        return 0
    return places


def leave(worker: Worker) -> None:
    """The worker has gone."""
    Worker.objects.filter(pk=worker.pk).delete()


def lock_organisation(organisation_id: UUID) -> None:
    """One at a time counts an organisation's runs and places, until the transaction ends."""
    Organisation.objects.select_for_update(no_key=True).filter(pk=organisation_id).values_list("pk").first()


def _granted(worker: Worker, others: list[Worker]) -> int:
    contenders = sorted([worker, *(one for one in others if not one.is_leaving)], key=lambda one: one.pk)
    leaving = sum(one.places for one in others if one.is_leaving)
    places = settings.EVAL_CONCURRENCY_PER_ORG
    first = int(time.time() / TURN_SECONDS)
    shares = fair_shares(places - leaving, [one.wanted for one in contenders], first=first)
    mine = shares[contenders.index(worker)]
    free = places - sum(one.places for one in others)
    of_run = settings.EVAL_CONCURRENCY_PER_RUN - sum(one.places for one in others if one.run_id == worker.run_id)
    return max(0, min(mine, free, of_run))


def _alive_until() -> datetime:
    return timezone.now() + timedelta(seconds=settings.EVAL_LEASE_SECONDS * 2 / SIGNS_A_LEASE)
