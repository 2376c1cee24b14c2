"""Whether a test run that ended before its end can go on, and why not (EV-D28, EV-36, EV-37)."""

from decimal import Decimal

from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.queries.agents import refuse_archived
from agents.queries.answering import CannotAnswer, answerer_of
from agents.queries.spending import why_over_budget
from core.errors import Conflict, NotAllowed, NotFound
from evals.logic.choices import EvalChoices
from evals.models import Attempt, EvalRun, EvalState
from evals.queries.listed_runs import costs_of
from scoring.logic.pins import AGENT, COMPARED, Pin
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.queries.judges import NoJudge, judge_of
from scoring.queries.reason_words import in_words

RESUMABLE = (EvalState.CANCELLED, EvalState.STOPPED, EvalState.FAILED)


def refuse_to_resume(actor: Actor, run: EvalRun) -> Pin | None:
    """By which judge the run goes on, None where none takes part; it is the run's own, completed by what is new in it.

    Raises `NotAllowed` without `datasets:run` on the dataset or `agents:run` on the agent, then `Conflict`:
    `eval_not_resumable`, `eval_archived`, `eval_of_stored_answers`, `agent_version_gone`, `agent_archived`,
    `agent_cannot_answer`, a code of SC-D55, `judge_prompt_changed`, `judge_republished`, `over_budget`.
    """
    access.require(actor, Permission.DATASETS_RUN, run.dataset)
    _require_agent(actor, run)
    _refuse_state(run)
    _refuse_agent(run)
    pin = _same_judge(actor, run)
    why = why_over_budget(run.agent.pk) if run.agent else ""
    if why:
        raise Conflict("over_budget", why)
    return pin


def reaches_its_limit(run: EvalRun, limit: Decimal | None) -> bool:
    """Whether a run with this cost limit would stop before its next attempt (EV-D27)."""
    if limit is None:
        return False
    spent = costs_of([run])[run.pk].amount if Attempt.objects.filter(run=run).exists() else Decimal(0)
    answered = Attempt.objects.filter(run=run, answered_at__isnull=False).count()
    return spent + (spent / answered if answered else 0) >= limit


def _require_agent(actor: Actor, run: EvalRun) -> None:
    """The run is seen, so an agent that is not is no secret of it: both are refused alike."""
    if run.agent is None:
        return
    try:
        access.require(actor, Permission.AGENTS_RUN, run.agent)
    except NotFound:
        raise NotAllowed from None


def _refuse_state(run: EvalRun) -> None:
    if run.state not in RESUMABLE:
        message = _("Only a test run that was cancelled, stopped or failed can be resumed.")
        raise Conflict("eval_not_resumable", message)
    if run.archived_at is not None:
        raise Conflict("eval_archived", _("This test run is archived. Bring it back first."))
    if not run.asks_an_agent:
        raise Conflict("eval_of_stored_answers", _("No agent was asked in this test run, so none can be asked again."))


def _refuse_agent(run: EvalRun) -> None:
    version = run.agent_version
    if run.agent is None or version is None:
        raise Conflict("agent_version_gone", _("The version of the agent that was asked is gone."))
    version.agent = run.agent
    refuse_archived(run.agent)
    try:
        answerer_of(version)
    except CannotAnswer as reason:
        raise Conflict("agent_cannot_answer", str(reason)) from None


def _same_judge(actor: Actor, run: EvalRun) -> Pin | None:
    """The judge as it is now, where it is still the one that the run names (EV-35)."""
    then = Pin.of_json(run.pin)
    if then is None:
        return None
    settings = Settings.of_json(completed(run.snapshot.settings))
    judge = judge_of(actor, run.dataset, settings)
    if isinstance(judge, NoJudge) and not EvalChoices.of_json(run.options).allow_unscored:
        raise Conflict(judge.cause.value, f"{in_words(judge.cause.reason)}.")
    now = judge.pin(settings)
    if now.task_version != then.task_version:
        message = _("The judge's task has changed since this test run, whose grades would no longer be comparable.")
        raise Conflict("judge_prompt_changed", message)
    if isinstance(judge, NoJudge):
        return then
    if any(getattr(now, name) != getattr(then, name) for name in _known(then)):
        message = _("The judge was published again since this test run, whose grades would no longer be comparable.")
        raise Conflict("judge_republished", message)
    return now


def _known(then: Pin) -> list[str]:
    """The compared fields of a judge that was there; nothing was graded by what was not known yet."""
    if then.judge_kind == AGENT and then.judge_version is None:
        return ["judge_id", "criteria_hash"]
    return [name for name in COMPARED if getattr(then, name) is not None]
