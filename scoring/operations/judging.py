"""Having a judge grade one answer: asked once, its run recorded, its verdicts read (SC-9, SC-129 to SC-133, SC-147).

Many may run at once over one desk; whatever the judge or its provider does, each ends with findings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

import anyio
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.models import Organisation
from activity.models import Run
from activity.operations.helper_runs import collected_helper_run, record_helper_run
from agents.loop.budget_watch import BudgetWatch
from agents.loop.desk import Desk
from agents.loop.events import Ended, Ending
from agents.models import AgentVersion, Helper
from agents.operations.helper_agents import helper_agent, helper_version
from agents.queries.spending import budgets_of
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from scoring.logic.answers import GradedAnswer
from scoring.logic.causes import CUT_OFF, Cause
from scoring.logic.criteria import AskedCriterion, asked_criteria
from scoring.logic.findings import Finding, Reason, Verdict
from scoring.logic.pins import Pin
from scoring.logic.prompt import JUDGE_TASK_VERSION, TASK_TEXT, judge_messages
from scoring.logic.provider_words import why_it_failed
from scoring.logic.replies import Reading, kept_reply, read_reply, unknown_criteria
from scoring.logic.settings import Settings
from scoring.logic.verdicts import findings_of, findings_of_empty_answer, findings_without_verdict
from scoring.models import JudgeTrouble
from scoring.operations.asking_judge import Asking
from scoring.queries.judges import Judge, NoJudge, judge_of


@dataclass(frozen=True)
class Judged:
    """A finding for each of `asked_criteria`, in their order, and by whom they were reached.

    `pin` is None just where nothing was to be judged. `run` and `cost` (USD, None where not known) are the judge's,
    None where it was not called. `unreadable_reply` is the beginning of a reply that could not be read (SC-131).
    `trouble` is a JudgeTrouble, empty where every criterion has its verdict.
    """

    findings: tuple[Finding, ...] = ()
    pin: Pin | None = None
    run: Run | None = None
    cost: Decimal | None = None
    unreadable_reply: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class PreparedJudge:
    """A judge as it was found for many answers, with the version that its runs are of; `watch` are its budgets.

    The runs of what it judges are not stored by `judge_answer`: whoever asks stores them with `store_helper_runs`,
    together with whatever else belongs to them.
    """

    judge: Judge | NoJudge
    version: AgentVersion | None = None
    watch: BudgetWatch | None = None


@dataclass(frozen=True)
class _Matter:
    """What is graded by what, for whom."""

    actor: Actor
    dataset: Dataset
    settings: Settings
    case: CaseDraft
    answer: GradedAnswer
    criteria: Sequence[AskedCriterion]
    number: int | None = None
    prepared: "PreparedJudge | None" = None

    def without_verdict(self, cause: Cause, why: Reason | None = None) -> tuple[Finding, ...]:
        reason = why or cause.reason
        return findings_without_verdict(self.criteria, cause, cause.verdict, reason, self.case, self.answer)


async def judge_answer(
    desk: Desk[Any],
    actor: Actor,
    *,
    dataset: Dataset,
    settings: Settings,
    case: CaseDraft,
    answer: GradedAnswer,
    number: int | None = None,
    prepared: PreparedJudge | None = None,
) -> Judged:
    """Grade one answer by everything that the judge is asked about this case, in one run of it (SC-9).

    Nothing to ask about: no findings and no pin. An answer without text and calls is graded without the judge
    (SC-D15). `number` is that of the judge's version where it is not the newest. Raises nothing for what the judge or
    the provider does; cancelling it ends the call, whose run is kept.
    """
    criteria = asked_criteria(case, settings)
    if not criteria:
        return Judged()
    matter = _Matter(actor, dataset, settings, case, answer, criteria, number, prepared)
    judge = prepared.judge if prepared else await desk.do(partial(_judge, matter))
    if answer.is_empty and not answer.calls:
        return Judged(findings_of_empty_answer(criteria), judge.pin(settings))
    if isinstance(judge, NoJudge):
        return _judged(matter.without_verdict(judge.cause), judge.pin(settings))
    watch = prepared.watch if prepared else None
    if watch is None:
        return await _asked(desk, judge, matter)
    if await watch.begin(desk):
        return _judged(matter.without_verdict(Cause.BUDGET), judge.pin(settings))
    judged = None
    try:
        judged = await _asked(desk, judge, matter)
    finally:
        watch.end(judged.cost if judged else None)
    return judged


def prepare_judge(
    actor: Actor, *, dataset: Dataset, settings: Settings, number: int | None = None, watch: BudgetWatch | None = None
) -> PreparedJudge:
    """The judge of many answers, as it is now; `watch` is that of an earlier time, which knows what is under way."""
    if settings.judge_agent is None:
        helper_agent(dataset.organisation, Helper.JUDGE)
    judge = judge_of(actor, dataset, settings, number=number)
    agent = judge.identity.agent
    if watch is None and agent is not None:
        watch = BudgetWatch(agent.pk, budgets_of(agent.pk))
    version = _version(dataset.organisation, judge) if isinstance(judge, Judge) else None
    return PreparedJudge(judge, version, watch)


def _version(organisation: Organisation, judge: Judge) -> AgentVersion:
    """Of the judge agent, or of the helper as this release defines it (SC-D2)."""
    version, agent = judge.identity.version, judge.identity.agent
    if version is None or agent is None:
        return helper_version(organisation, Helper.JUDGE, number=JUDGE_TASK_VERSION, instructions=TASK_TEXT)
    version.agent = agent  # so that nobody has to read it, where there is no database
    return version


def _judge(matter: _Matter) -> Judge | NoJudge:
    """The judge as it is now; the built-in one gets its row first, so that every pin names the same (SC-D5)."""
    if matter.settings.judge_agent is None:
        helper_agent(matter.dataset.organisation, Helper.JUDGE)
    return judge_of(matter.actor, matter.dataset, matter.settings, number=matter.number)


async def _asked(desk: Desk[Any], judge: Judge, matter: _Matter) -> Judged:
    asking = Asking(desk, judge, partial(_messages, judge, matter), matter.settings.scale)
    try:
        await asking.ask()
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True):
            await desk.do(partial(_recorded, replace(matter, prepared=None), asking, Ended(Ending.CANCELLED)))
        raise
    pin = judge.identity.pin(matter.settings, temperature=asking.temperature)
    if asking.reply is None:
        return await _without_reply(desk, matter, asking, pin)
    text = asking.reply.text or asking.reply.refusal
    reading = read_reply(text, asking.reply.finish_reason, answer=matter.answer.text)
    findings = findings_of(reading, matter.criteria, matter.case, matter.answer.text, matter.settings)
    run = await _run(desk, matter, asking, _end(reading, matter.criteria))
    kept = "" if reading.is_readable else kept_reply(text)
    return _judged(findings, pin, run, asking.cost(), kept)


async def _without_reply(desk: Desk[Any], matter: _Matter, asking: Asking, pin: Pin) -> Judged:
    """The provider gave none, or the budget was used up after it had refused the first call."""
    failure = asking.failure
    if failure is None:
        end, findings = Ended(Ending.OVER_BUDGET, asking.over_budget), matter.without_verdict(Cause.BUDGET)
    else:
        why = why_it_failed(
            failure.cause.value, status=failure.status, said=failure.said, tries=failure.tries, sent=asking.sent
        )
        findings = matter.without_verdict(Cause.FAILED, why)
        end = Ended(Ending.FAILED, str(failure))
    run = await _run(desk, matter, asking, end)
    return _judged(findings, pin, run)


def _messages(judge: Judge, matter: _Matter, schema_in_text: bool) -> list[dict[str, str]]:
    return judge_messages(
        matter.criteria,
        matter.case,
        matter.answer,
        matter.settings,
        instructions=judge.identity.instructions,
        schema_in_text=schema_in_text,
    )


def _end(reading: Reading, criteria: Sequence[AskedCriterion]) -> Ended:
    """How the run ended: which fields could not be read, by their places, and nothing of the reply (SC-133, ACC-24)."""
    said = []
    if reading.why == CUT_OFF:
        said.append(_("The reply was cut off at the token limit of the model."))
    elif not reading.is_readable:
        said.append(_("The reply could not be read."))
    if reading.unread_fields:
        said.append(_("Fields that could not be read: %(fields)s.") % {"fields": ", ".join(reading.unread_fields)})
    unknown = unknown_criteria(reading, [criterion.id for criterion in criteria])
    if unknown:
        said.append(_("Ignored, because no such criterion was asked for: %(fields)s.") % {"fields": ", ".join(unknown)})
    return Ended(Ending.COMPLETED if reading.is_readable else Ending.FAILED, " ".join(said))


async def _run(desk: Desk[Any], matter: _Matter, asking: Asking, end: Ended) -> Run:
    """The judge's run, stored; or collected, where the judge was prepared for many."""
    if matter.prepared is None or matter.prepared.version is None:
        return await desk.do(partial(_recorded, matter, asking, end))
    return collected_helper_run(
        matter.dataset.organisation,
        helper=matter.prepared.version,
        calls=asking.taken(),
        end=end,
        started_by=matter.actor.member,
    )


def _recorded(matter: _Matter, asking: Asking, end: Ended) -> Run:
    organisation = matter.dataset.organisation
    version = _version(organisation, asking.judge)
    return record_helper_run(
        organisation, helper=version, calls=asking.taken(), end=end, started_by=matter.actor.member
    )


def _judged(
    findings: tuple[Finding, ...], pin: Pin, run: Run | None = None, cost: Decimal | None = None, reply: str = ""
) -> Judged:
    verdicts = {finding.verdict for finding in findings}
    trouble = ""
    if Verdict.ERROR in verdicts:
        trouble = JudgeTrouble.ERROR.value
    elif Verdict.SKIPPED in verdicts:
        trouble = JudgeTrouble.SKIPPED.value
    return Judged(findings, pin, run, cost, reply, trouble)
