"""Resuming a test run that was cancelled, stopped or failed: only what is missing is done (EV-D27, EV-D28)."""

from decimal import Decimal
from enum import Enum
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from core.errors import Conflict, Invalid
from core.numbers import exact_money, money
from core.refusals import refusal
from evals.logic.choices import read_amount
from evals.models import Attempt, AttemptState, EvalItem, EvalRun, EvalState
from evals.operations.leaving_out import HAS_ANSWER, leave_out_anonymised
from evals.operations.locking import locked_eval
from evals.operations.waking import wake
from evals.queries.listed_runs import costs_of
from evals.queries.resumable import reaches_its_limit, refuse_to_resume
from scoring.logic.pins import pin_hash
from scoring.operations.rescoring import grade_without_verdict_again

CENT = Decimal("0.01")
NO_ANSWER = Q(answered_at=None) | Q(state=AttemptState.ERROR)


class _Keep(Enum):
    """The cost limit stays as it is."""

    KEEP = "keep"


KEEP: Final = _Keep.KEEP


@transaction.atomic
def resume_eval(actor: Actor, *, eval_id: UUID, max_cost: Decimal | _Keep | None = KEEP) -> EvalRun:
    """Queue it again with the configuration it was started with; `max_cost` (USD, None for none) is the new limit.

    Attempts without a stored answer run again, answers without a verdict are graded again, cases anonymised meanwhile
    are left out. From now on it runs as whoever resumed it (EV-D14); who started it first stays kept. Raises
    `NotFound`, what `refuse_to_resume` raises, `Invalid` at `max_cost_usd`, `Conflict` `cost_limit` where the limit
    would stop it at once, `no_case_left`.
    """
    run = locked_eval(actor, eval_id)
    pin = refuse_to_resume(actor, run)
    _change_limit(run, max_cost)
    left_out = leave_out_anonymised(run)
    if not EvalItem.objects.filter(run=run).exists():
        raise Conflict("no_case_left", _("No case is left to run: all were anonymised after erasure."))
    again, graded = _ask_again(run), _grade_again(actor, run)
    _queue(actor, run, pin.as_json() if pin else None, pin_hash(pin))
    details = {"eval": str(run.pk), "number": run.number, "asked_again": again, "graded_again": graded}
    audit.record(actor, "eval.resumed", run.dataset, **details, left_out=left_out)
    wake(run)
    return run


def _change_limit(run: EvalRun, max_cost: Decimal | _Keep | None) -> None:
    """Raises `Invalid` for a limit that is none or that would stop the run at once, `Conflict` for the old one."""
    if isinstance(max_cost, _Keep):
        if reaches_its_limit(run, run.max_cost):
            message = _("The cost limit is reached: %(spent)s of %(most)s are spent. Raise it to resume.")
            most = exact_money(run.max_cost or Decimal(0))
            raise Conflict("cost_limit", message % {"spent": _spent(run), "most": most})
        return
    limit, problems = read_amount(None if max_cost is None else f"{max_cost:f}")
    if problems:
        raise refusal(problem.under("max_cost_usd") for problem in problems)
    if reaches_its_limit(run, limit):
        message = _("This would stop the run at once: %(spent)s are spent already.")
        raise Invalid.at("max_cost_usd", message % {"spent": _spent(run)})
    run.max_cost = limit


def _spent(run: EvalRun) -> str:
    amount = costs_of([run])[run.pk].amount
    return money(amount) if amount >= CENT else exact_money(amount)


def _ask_again(run: EvalRun) -> int:
    """Attempts without a stored answer wait again, as if nobody had taken them up."""
    fresh: dict[str, Any] = {
        "state": AttemptState.PENDING, "worker": "", "leased_until": None, "losses": 0, "tries": 0, "error": None,
        "error_key": "", "answered_at": None, "done_at": None,
    }  # fmt: skip
    missing = Attempt.objects.filter(NO_ANSWER, run=run, item__revision__anonymised_at=None)
    return missing.exclude(state=AttemptState.DONE).update(**fresh)


def _grade_again(actor: Actor, run: EvalRun) -> int:
    """Answers that are not graded, or are and have no verdict, wait to be graded; none is bought again."""
    waiting = Attempt.objects.filter(HAS_ANSWER, run=run).exclude(state=AttemptState.DONE)
    done = Attempt.objects.filter(run=run, state=AttemptState.DONE, score__outcome="unscored", score__decided="")
    scores = done.exclude(score=None).values_list("score_id", flat=True)
    laid_down = grade_without_verdict_again(actor, dataset=run.dataset, score_ids=[key for key in scores if key])
    unleased: dict[str, Any] = {"state": AttemptState.ANSWERED, "worker": "", "leased_until": None, "done_at": None}
    return waiting.update(**unleased) + Attempt.objects.filter(run=run, score__in=laid_down).update(**unleased)


def _queue(actor: Actor, run: EvalRun, pin: dict[str, Any] | None, hashed: str) -> None:
    now = timezone.now()
    run.state, run.cause, run.finished_at = EvalState.QUEUED, None, None
    run.pin, run.pin_hash = pin, hashed
    run.started_by, run.key, run.with_key = actor.member, actor.key, actor.key is not None
    run.stalls, run.progress_at = 0, now
    run.save(
        update_fields=[
            "state", "cause", "finished_at", "pin", "pin_hash", "started_by", "key", "with_key", "stalls",
            "progress_at", "max_cost", "left_out",
        ]
    )  # fmt: skip
