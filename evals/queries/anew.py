"""Scoring the answers of an ended test run anew with today's settings: what it would do and cost (EV-D43).

Nothing of the run itself changes: its answers are graded as a test run of their own, which compares with any other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings as configured
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.actor import Actor
from core.errors import Conflict, Invalid
from evals.logic.estimates import CostEstimate, JudgeUse, RunShape, estimated
from evals.logic.left_out import LeftOut, LeftOutCause, left_out_by_cause
from evals.models import Attempt, AttemptKind, AttemptState, EvalItem, EvalRun, EvalState
from evals.queries.asked_cases import AskedCase, cases_to_ask
from evals.queries.estimates import EstimatedJudge, judge_shown
from evals.queries.plans import dataset_to_run, left_out_words
from scoring.logic.hashes import sha256_of_json
from scoring.logic.pins import Pin, pin_hash
from scoring.logic.settings import Json, Settings
from scoring.queries.judges import Judge, NoJudge, judge_of
from scoring.queries.reason_words import in_words
from scoring.queries.settings import settings_of

CUT_OFF = (EvalState.CANCELLED, EvalState.STOPPED, EvalState.FAILED)


@dataclass(frozen=True)
class AnewPlan:
    """What scoring the run's answers anew would do.

    `cases` are graded, `skipped` are not. `answers` counts what is graded, `gone` the answers that are there no more
    in their whole length. `judge` is None where none takes part.
    """

    run: EvalRun
    cases: tuple[AskedCase, ...]
    skipped: tuple[LeftOut, ...]
    answers: int
    gone: int
    stored: Json
    judge: Judge | None
    cost: CostEstimate

    @property
    def pin(self) -> Pin | None:
        return self.judge.pin(Settings.of_json(self.stored)) if self.judge else None

    @property
    def shown_judge(self) -> EstimatedJudge | None:
        return judge_shown(self.judge)

    @property
    def left_out(self) -> Mapping[LeftOutCause, int]:
        """How many cases are not graded, by cause."""
        return left_out_by_cause(self.skipped)


def anew_plan(actor: Actor, run: EvalRun) -> AnewPlan:
    """The plan for a run that the actor can see; changes nothing.

    Raises `NotAllowed` without `datasets:run` on the dataset, `Conflict` `not_ended`, `nothing_decides`, a code of
    SC-D55 where the judge cannot grade, `graded_alike` where the run, or one over its answers, was graded with today's
    settings by this judge already (`eval` names it), `Invalid` where no answer is left to grade.
    """
    dataset = dataset_to_run(actor, run.dataset_id)
    if not run.is_final:
        raise Conflict("not_ended", _("The test run has not ended yet. Wait until it has."))
    stored = settings_of(dataset).stored
    settings = Settings.of_json(stored)
    if not settings.on & settings.must_pass:
        message = _("The grading settings grade nothing: no evaluator that is on is marked “Must pass”.")
        raise Conflict("nothing_decides", message)
    judge = judge_of(actor, dataset, settings) if settings.asks_judge else None
    told = judge.identity.instructions if judge else ""
    cases, left_out = _sorted_out(run, cases_to_ask(dataset, run.version, settings, instructions=told))
    answers, gone = _counted(run, cases)
    if not answers:
        words = [_("No answer of this test run is left to be graded."), *left_out_words(left_out)]
        raise Invalid.at("", " ".join(words))
    if not any(case.size.criteria for case in cases):
        judge = None
    if isinstance(judge, NoJudge):
        raise Conflict(judge.cause.value, f"{in_words(judge.cause.reason)}.")
    pin = judge.pin(settings) if judge else None
    _refuse_again(run, stored, pin_hash(pin))
    return AnewPlan(run, tuple(cases), tuple(left_out), answers, gone, stored, judge, _cost(run, cases, judge))


def graded_anew(run: EvalRun, digest: str, pin: str) -> EvalRun | None:
    """The run in which its answers were graded with these settings by this judge, or are being graded; None without
    one. One that was cut off is none: the answers can be graded once more."""
    rows = EvalRun.objects.filter(dataset=run.dataset_id, version=run.version, snapshot__digest=digest, pin_hash=pin)
    rows = rows.exclude(state__in=CUT_OFF).filter(agent=run.agent_id, agent_version=run.agent_version_id)
    found = rows.order_by("-number")
    return next((one for one in found.only("number", "label", "kept", "state") if source_of(one) == run.pk), None)


def source_of(run: EvalRun) -> UUID | None:
    """The run whose answers this one graded anew; None for every other run."""
    source = run.answers_of
    return UUID(source["run"]) if source else None


def _sorted_out(run: EvalRun, known: list[AskedCase]) -> tuple[list[AskedCase], list[LeftOut]]:
    """The cases of the run that can be graded by these settings, and those that cannot."""
    mine = set(EvalItem.objects.filter(run=run).values_list("case_id", flat=True))
    cases, left_out = [], []
    for case in known:
        if case.case_id not in mine:
            continue
        if case.is_anonymised:
            left_out.append(LeftOut(case.case_id, LeftOutCause.ANONYMISED))
        elif not case.has_something_to_check:
            left_out.append(LeftOut(case.case_id, LeftOutCause.NOTHING_TO_CHECK))
        else:
            cases.append(case)
    return cases, left_out


def _counted(run: EvalRun, cases: list[AskedCase]) -> tuple[int, int]:
    """How many answers of these cases can be graded, and how many are there no more."""
    wanted = {case.case_id for case in cases}
    rows = answered(run)
    gone = Q(score__answer_removed_at__isnull=False) | Q(score__answer_cut=True, agent_run=None)
    lost = [case_id for case_id in rows.filter(gone).values_list("item__case_id", flat=True) if case_id in wanted]
    there = [case_id for case_id in rows.values_list("item__case_id", flat=True) if case_id in wanted]
    return len(there) - len(lost), len(lost)


def answered(run: EvalRun) -> Any:
    """The attempts that count for its results and that brought an answer."""
    rows = Attempt.objects.filter(run=run, kind=AttemptKind.FIRST, state=AttemptState.DONE, score__isnull=False)
    return rows.order_by("number", "item__position", "id")


def _refuse_again(run: EvalRun, stored: Any, pin: str) -> None:
    digest = sha256_of_json(stored)
    if run.snapshot.digest == digest and run.pin_hash == pin:
        message = _("This test run was graded with today's settings already.")
        raise Conflict("graded_alike", message, {"eval": str(run.pk)})
    before = graded_anew(run, digest, pin)
    if before:
        message = _("Its answers were graded anew with today's settings already, as test run %(number)d.")
        raise Conflict("graded_alike", message % {"number": before.number}, {"eval": str(before.pk)})


def _cost(run: EvalRun, cases: list[AskedCase], judge: Judge | None) -> CostEstimate:
    at_once = min(configured.EVAL_CONCURRENCY_PER_RUN, configured.EVAL_CONCURRENCY_PER_ORG)
    use = JudgeUse(judge.asked.name, judge.asked.prices) if judge else None
    return estimated([case.size for case in cases], None, use, RunShape(repeats=run.repeats, at_once=at_once))
