"""Leaving out cases whose text was erased after the run was started (EV-20, EV-D28)."""

from django.db import transaction
from django.db.models import Q

from evals.logic.left_out import LeftOut, LeftOutCause
from evals.models import Attempt, AttemptState, EvalItem, EvalRun

HAS_ANSWER = Q(answered_at__isnull=False) & ~Q(state=AttemptState.ERROR)


@transaction.atomic
def leave_out_anonymised(run: EvalRun) -> int:
    """Ask cases that were anonymised meanwhile no more; how many there are.

    What was answered of one before stays, cleared of its words; one of which nothing was is no item any longer.
    """
    locked = EvalRun.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run.pk).first()
    items = EvalItem.objects.filter(run=run).exclude(revision__anonymised_at=None)
    gone = dict(items.values_list("pk", "case_id"))
    if locked is None or not gone:
        return 0
    attempts = Attempt.objects.filter(run=run, item__in=gone)
    kept = set(attempts.filter(HAS_ANSWER).values_list("item_id", flat=True))
    rest = attempts.exclude(HAS_ANSWER).filter(item__in=kept)
    rest.update(state=AttemptState.CANCELLED, error=None, error_key="", worker="", leased_until=None)
    never = [item for item in gone if item not in kept]
    EvalItem.objects.filter(pk__in=never).delete()
    more = [LeftOut(gone[item], LeftOutCause.ANONYMISED).as_json() for item in never]
    run.left_out = [*locked.left_out, *more]
    EvalRun.objects.filter(pk=run.pk).update(left_out=run.left_out)
    return len(gone)
