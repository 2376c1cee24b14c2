"""For whom a test run works: whoever started it, with the access of this moment, and by the judge it is pinned to.

Asked again before each batch of attempts (EV-D14, EV-D31, EV-35).
"""

from dataclasses import dataclass, replace
from uuid import UUID

from django.utils import timezone

from accounts import access
from accounts.actor import Actor
from accounts.models import ApiKey, Member
from accounts.permissions import Permission
from activity.operations.collected_runs import Prepared, prepare_agent
from core.errors import Conflict, NotAllowed, NotFound
from evals.logic import causes
from evals.models import EvalRun
from evals.operations.halting import Halt
from scoring.logic.causes import Cause
from scoring.logic.findings import Reason
from scoring.logic.pins import COMPARED, Pin
from scoring.logic.prompt import JUDGE_TASK_VERSION
from scoring.logic.settings import Settings
from scoring.operations.judging import PreparedJudge, prepare_judge
from scoring.queries.judges import NoJudge


@dataclass(frozen=True)
class Allowed:
    """Who acts, the agent that is ready to answer for them, and the judge; None where nothing is left for them."""

    actor: Actor
    prepared: Prepared | None = None
    judge: PreparedJudge | None = None


def allowed_now(run: EvalRun, settings: Settings, before: Allowed | None = None, *, answers: bool = True) -> Allowed:
    """The run may go on at this moment. Raises `Halt` with the cause where it may not.

    Without `answers` the agent is not asked any more, so that nothing is needed of it. `before` is what the run was
    allowed last: its answers under way count against the budgets together with new ones.
    """
    actor = acting_for(run)
    _require_rights(run, actor)
    judge = _same_judge(run, actor, settings, before.judge if before else None)
    if not answers:
        return Allowed(actor, before.prepared if before else None, judge)
    prepared = _prepared(run, actor)
    if before and before.prepared:
        prepared = replace(prepared, watch=before.prepared.watch)
    return Allowed(actor, prepared, judge)


def acting_for(run: EvalRun) -> Actor:
    """Whoever started the run, as a member or by their key, as they are now. Raises `Halt`."""
    if run.with_key:
        return Actor.of_key(_usable_key(run))
    rows = Member.objects.active().select_related("organisation", "user")
    member = rows.filter(pk=run.started_by_id).first() if run.started_by_id else None
    if member is None:
        raise Halt.failed(causes.NO_MEMBER)
    return Actor.of_member(member)


def _usable_key(run: EvalRun) -> ApiKey:
    rows = ApiKey.objects.select_related("member__organisation", "member__user")
    key = rows.filter(pk=run.key_id).first() if run.key_id else None
    if key is None:
        raise Halt.failed(causes.KEY_DELETED)
    if key.revoked_at is not None:
        raise Halt.failed(causes.KEY_REVOKED)
    if key.expires_at is not None and key.expires_at <= timezone.now():
        raise Halt.failed(causes.KEY_EXPIRED)
    if not ApiKey.objects.usable().filter(pk=key.pk).exists():
        raise Halt.failed(causes.NO_MEMBER)
    return key


def _require_rights(run: EvalRun, actor: Actor) -> None:
    if not access.may(actor, Permission.RUNS_VIEW):
        raise Halt.failed(causes.MAY_NOT_READ_RUNS)
    if not access.may(actor, Permission.DATASETS_RUN, run.dataset):
        raise Halt.failed(causes.MAY_NOT_RUN_DATASET)


def _prepared(run: EvalRun, actor: Actor) -> Prepared:
    if run.agent_id is None or run.agent_version is None:
        raise Halt.failed(causes.AGENT_GONE)
    try:
        return prepare_agent(actor, agent_id=run.agent_id, number=run.agent_version.number)
    except NotAllowed:
        raise Halt.failed(causes.MAY_NOT_RUN_AGENT) from None
    except NotFound:
        raise Halt.failed(_why_not_found(run, run.agent_id)) from None
    except Conflict as conflict:
        is_archived = conflict.code == "agent_archived"
        raise Halt.failed(causes.AGENT_ARCHIVED if is_archived else causes.AGENT_DOES_NOT_ANSWER) from None


def _why_not_found(run: EvalRun, agent_id: UUID) -> Reason:
    """An agent that is there may only not be seen any more."""
    there = EvalRun.objects.filter(pk=run.pk, agent=agent_id).exclude(agent_version=None).exists()
    return causes.MAY_NOT_RUN_AGENT if there else causes.AGENT_GONE


def _same_judge(run: EvalRun, actor: Actor, settings: Settings, before: PreparedJudge | None) -> PreparedJudge | None:
    """One run has one judge and one prompt. One that cannot grade now only skips what it would have graded (SC-129)."""
    pin = Pin.of_json(run.pin)
    if pin is None or not settings.asks_judge:
        return None
    if pin.task_version != JUDGE_TASK_VERSION:
        raise Halt.failed(causes.PROMPT_CHANGED)
    watch = before.watch if before else None
    prepared = prepare_judge(actor, dataset=run.dataset, settings=settings, number=pinned_version(run), watch=watch)
    judge = prepared.judge
    now = judge.pin(settings)
    # What was not known at the start, because the judge could not grade then, is no change.
    changed = [name for name in COMPARED if getattr(pin, name) not in (None, getattr(now, name))]
    if isinstance(judge, NoJudge):
        if judge.cause is Cause.FORBIDDEN:
            raise Halt.failed(causes.MAY_NOT_RUN_JUDGE)
        if judge.cause is Cause.BUDGET and not run.options.get("allow_unscored"):
            raise Halt.stopped(causes.JUDGE_BUDGET)
        return prepared
    if changed:
        raise Halt.failed(Reason(causes.JUDGE_CHANGED, {"fields": ", ".join(changed)}))
    return prepared


def pinned_version(run: EvalRun) -> int | None:
    """The number of the judge agent's version that grades the whole run; None for the built-in one."""
    pin = Pin.of_json(run.pin)
    return pin.judge_version if pin and pin.judge_kind == "agent" else None
