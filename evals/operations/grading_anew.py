"""Scoring the answers of an ended test run anew with today's settings, as new scores (EV-D43).

They are a test run of their own, over the answers that were given then: no agent is asked, and the older run keeps its
scores and totals.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from activity.operations.bulk_rows import insert_rows
from agents.models import Helper
from agents.operations.helper_agents import helper_agent
from core.ids import new_id
from core.json_text import json_text
from core.problems import gettext_noop
from core.release import RELEASE
from datasets.models import Dataset
from evals.models import Attempt, AttemptKind, AttemptState, EvalItem, EvalRun
from evals.operations.waking import wake
from evals.queries.anew import AnewPlan, anew_plan, answered
from evals.queries.asked_cases import AskedCase
from evals.queries.evals import find_eval
from scoring.logic.answers import GradedAnswer
from scoring.logic.findings import Reason
from scoring.logic.pins import BUILT_IN, pin_hash
from scoring.models import ScoreOrigin
from scoring.operations.scores import AnswerToGrade, open_scores
from scoring.operations.settings import snapshot_of
from scoring.queries.grading_material import answers_of

BATCH = 500
ANSWER_GONE = Reason(gettext_noop("The answer is no longer there as it was given"))
ITEM = ("id", "run_id", "case_id", "revision_id", "position", "tags")
ATTEMPT = (
    "id", "run_id", "item_id", "number", "kind", "state", "error", "error_key", "agent_run_id", "score_id", "cost",
    "seconds", "input_tokens", "output_tokens", "model", "answered_at",
)  # fmt: skip
# What a new attempt takes over: it tells of the answer, and not of its grading.
TAKEN = ("agent_run_id", "cost", "seconds", "input_tokens", "output_tokens", "model", "answered_at")


@transaction.atomic
def grade_anew(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """Lay down a test run over the answers of this one, and have a worker grade it.

    Raises `NotFound`, and what `anew_plan` raises.
    """
    # Locked before anything is read, so that no text is erased meanwhile, and numbers have no gaps.
    found = find_eval(actor, eval_id)
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    dataset = access.fetch(rows, actor, Permission.DATASETS_VIEW, pk=found.dataset_id)
    plan = _with_own_judge(actor, anew_plan(actor, find_eval(actor, eval_id)))
    run = _run_row(actor, dataset, plan)
    _lay_down(actor, dataset, run, plan)
    details = {"eval": str(run.pk), "number": run.number, "answers_of": str(plan.run.pk)}
    audit.record(actor, "eval.graded_anew", dataset, **details, answers=plan.answers)
    wake(run)
    return run


def _with_own_judge(actor: Actor, plan: AnewPlan) -> AnewPlan:
    """The plan, whose built-in judge has a row from now on: its pin would name none otherwise."""
    if plan.judge is None or plan.judge.identity.kind != BUILT_IN or plan.judge.identity.agent is not None:
        return plan
    helper_agent(actor.organisation, Helper.JUDGE)
    return anew_plan(actor, plan.run)


def _run_row(actor: Actor, dataset: Dataset, plan: AnewPlan) -> EvalRun:
    of, pin = plan.run, plan.pin
    kept: dict[str, Any] = {
        "pin": pin.as_json() if pin else None,
        "kept": _kept(actor, plan),
        "left_out": [one.as_json() for one in plan.skipped],
        "estimate": plan.cost.as_json(),
    }
    last = EvalRun.objects.filter(dataset=dataset).aggregate(last=Max("number"))["last"] or 0
    return EvalRun.objects.create(
        organisation_id=dataset.organisation_id,
        dataset=dataset,
        number=last + 1,
        version=of.version,
        agent=of.agent,
        agent_version=of.agent_version,
        label=of.label,
        options=of.options,
        repeats=of.repeats,
        confirm_changes=False,
        snapshot=snapshot_of(dataset, plan.stored),
        pin_hash=pin_hash(pin),
        started_by=actor.member,
        key=actor.key,
        with_key=actor.key is not None,
        **kept,
    )


def _kept(actor: Actor, plan: AnewPlan) -> dict[str, Any]:
    """What is known of the answers stays, what is known of their grading is new (EV-D51)."""
    model = plan.judge.identity.model if plan.judge else None
    prices = model.prices() if model else None
    told = {name: str(value) if value is not None else None for name, value in vars(prices).items()} if prices else None
    return {
        **plan.run.kept,
        "answers_of": _source(plan.run),
        "baseline": None,
        "judge_model": model.name if model else "",
        "prices": {"agent": (plan.run.kept.get("prices") or {}).get("agent"), "judge": told},
        "release": RELEASE,
        "starter": str(actor.member_id) if actor.member_id else None,
        "key": str(actor.key.pk) if actor.key else None,
    }


def _source(run: EvalRun) -> dict[str, Any]:
    """As `EvalRun.answers_of` gives it; over answers that were graded anew before, when these were given stays."""
    ended = run.answers_of.get("ended") or (run.finished_at or run.created_at).isoformat()
    return {"run": str(run.pk), "number": run.number, "ended": ended, "stored": not run.has_agent}


def _lay_down(actor: Actor, dataset: Dataset, run: EvalRun, plan: AnewPlan) -> None:
    """Items, scores and attempts: those with an answer wait to be graded, those without one stay without."""
    cases = {case.case_id: case for case in plan.cases}
    ids = {case_id: new_id() for case_id in cases}
    insert_rows(EvalItem, ITEM, (_item(run, ids[key], case) for key, case in cases.items()))
    rows = answered(plan.run).select_related("item", "score").defer(*_long_of_scores())
    there = [attempt for attempt in rows if attempt.item.case_id in cases]
    for start in range(0, len(there), BATCH):
        _grade_later(actor, dataset, run, there[start : start + BATCH], ids)
    failed = Attempt.objects.filter(run=plan.run, kind=AttemptKind.FIRST, state=AttemptState.ERROR)
    lost = [one for one in failed.select_related("item") if one.item.case_id in cases]
    insert_rows(Attempt, ATTEMPT, (_without_answer(run, one, ids, one.error, one.error_key) for one in lost))


def _grade_later(
    actor: Actor, dataset: Dataset, run: EvalRun, attempts: Sequence[Attempt], ids: Mapping[UUID, UUID]
) -> None:
    answers = answers_of([attempt.score_id for attempt in attempts if attempt.score_id])
    kept = [attempt for attempt in attempts if attempt.score_id in answers]
    given = [_given(attempt, answers) for attempt in kept]
    scores = open_scores(
        actor,
        dataset=dataset,
        version=run.version,
        snapshot=run.snapshot,
        origin=ScoreOrigin.EVAL,
        answers=given,
        is_pinned=True,
    )
    insert_rows(Attempt, ATTEMPT, _waiting(run, kept, scores, ids))
    gone = [attempt for attempt in attempts if attempt.score_id not in answers]
    insert_rows(
        Attempt, ATTEMPT, (_without_answer(run, one, ids, ANSWER_GONE.as_json(), "answer_gone") for one in gone)
    )


def _given(attempt: Attempt, answers: Mapping[UUID, GradedAnswer]) -> AnswerToGrade:
    """The answer as it was given then; a score of now, so that whoever may not read the old one does not read it."""
    score: Any = attempt.score
    return AnswerToGrade(
        case_id=attempt.item.case_id,
        answer=answers[score.pk],
        run_id=score.run_id,
        agent_id=score.agent_id,
        agent_version_id=score.agent_version_id,
        has_agent=score.has_agent,
        person_id=score.person_id,
        model=score.model,
    )


def _item(run: EvalRun, key: UUID, case: AskedCase) -> tuple[Any, ...]:
    return key, run.pk, case.case_id, case.revision_id, case.position, json_text(list(case.tags))


def _waiting(
    run: EvalRun, attempts: Sequence[Attempt], scores: Sequence[UUID], ids: Mapping[UUID, UUID]
) -> Iterator[tuple[Any, ...]]:
    for attempt, score_id in zip(attempts, scores, strict=True):
        taken = {name: getattr(attempt, name) for name in TAKEN} | {"score_id": score_id}
        yield _attempt(run, attempt, ids, AttemptState.ANSWERED, taken)


def _without_answer(
    run: EvalRun, attempt: Attempt, ids: Mapping[UUID, UUID], error: Any, error_key: str
) -> tuple[Any, ...]:
    taken = {"error": json_text(error) if error else None, "error_key": error_key}
    return _attempt(run, attempt, ids, AttemptState.ERROR, taken)


def _attempt(
    run: EvalRun, attempt: Attempt, ids: Mapping[UUID, UUID], state: AttemptState, taken: Mapping[str, Any]
) -> tuple[Any, ...]:
    named: dict[str, Any] = {
        "id": new_id(),
        "run_id": run.pk,
        "item_id": ids[attempt.item.case_id],
        "number": attempt.number,
        "kind": AttemptKind.FIRST.value,
        "state": state.value,
        "error_key": "",
        "model": "",
        **taken,
    }
    return tuple(named.get(name) for name in ATTEMPT)


def _long_of_scores() -> list[str]:
    return [f"score__{name}" for name in ("answer", "calls", "results", "unreadable_reply", "why", "pin")]
