"""Starting a test run: its plan is laid down as rows, and a worker is woken (EV-7, EV-33, EV-D1 to EV-D8)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from accounts import access, audit
from accounts.actor import Actor
from accounts.operations.idempotent_requests import FirstAnswer, claim_request, remember_answer
from accounts.permissions import Permission
from activity.operations.bulk_rows import insert_rows
from agents.logic.usage import Prices
from agents.models import Helper
from agents.operations.helper_agents import helper_agent
from core.ids import new_id
from core.json_text import json_text
from core.release import RELEASE
from datasets.models import Dataset
from evals.logic.choices import EvalChoices
from evals.models import Attempt, AttemptKind, AttemptState, EvalItem, EvalRun
from evals.operations.waking import wake
from evals.queries.estimates import estimate_of
from evals.queries.evals import find_eval
from evals.queries.plans import Plan, plan_of
from scoring.logic.hashes import sha256_of_json
from scoring.logic.pins import BUILT_IN, pin_hash
from scoring.operations.settings import snapshot_of
from scoring.queries.judges import Judge, NoJudge, judge_of

__all__ = ["start_eval"]


@transaction.atomic
def start_eval(actor: Actor, *, dataset_id: UUID, choices: EvalChoices, idempotency_key: str | None = None) -> EvalRun:
    """Lay down a run with its items and attempts, queued, and have a worker take it up.

    With a key that came before within 24 hours the run of then is returned and nothing is started (EV-D7); the
    endpoints of the API do that themselves for the whole answer. Raises what `plan_of` raises, `Invalid` at
    `Idempotency-Key` where the key came with other choices.
    """
    if idempotency_key is None:
        return _started(actor, dataset_id, choices, None)
    told = json.dumps([str(dataset_id), choices.as_json()], sort_keys=True)
    named = sha256(idempotency_key.encode("utf-8", "replace")).hexdigest()
    claimed = claim_request(actor, key=f"evals:{named}", fingerprint=sha256(told.encode()).hexdigest())
    if isinstance(claimed, FirstAnswer):
        return find_eval(actor, UUID(claimed.body))
    run = _started(actor, dataset_id, choices, named)
    remember_answer(claimed, FirstAnswer(201, str(run.pk), {}))
    return run


def _started(actor: Actor, dataset_id: UUID, choices: EvalChoices, key: str | None) -> EvalRun:
    # Locked before anything is read, so that no text is erased between the plan and its rows, and numbers have no gaps.
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    dataset = access.fetch(rows, actor, Permission.DATASETS_VIEW, pk=dataset_id)
    plan = _with_own_judge(actor, plan_of(actor, dataset_id=dataset.pk, choices=choices))
    run = _run_row(actor, plan, key)
    _lay_down(run, plan)
    details = {"eval": str(run.pk), "number": run.number, "agent": str(plan.agent.pk), "version": plan.version}
    audit.record(actor, "eval.started", plan.dataset, **details, cases=len(plan.cases), attempts=plan.attempts)
    wake(run)
    return run


def _with_own_judge(actor: Actor, plan: Plan) -> Plan:
    """The plan, whose built-in judge has a row from now on: the pin of its first run would name none otherwise."""
    if plan.judge is None or plan.judge.identity.kind != BUILT_IN or plan.judge.identity.agent is not None:
        return plan
    helper_agent(actor.organisation, Helper.JUDGE)
    return replace(plan, judge=judge_of(actor, plan.dataset, plan.settings))


def _run_row(actor: Actor, plan: Plan, key: str | None) -> EvalRun:
    choices, pin = plan.choices, plan.pin
    last = EvalRun.objects.filter(dataset=plan.dataset).aggregate(last=Max("number"))["last"] or 0
    kept: dict[str, Any] = {
        "options": choices.as_json(),
        "pin": pin.as_json() if pin else None,
        "kept": _kept(actor, plan),
        "left_out": [one.as_json() for one in plan.left_out],
        "estimate": estimate_of(plan).as_json(),
    }
    return EvalRun.objects.create(
        organisation_id=plan.dataset.organisation_id,
        dataset=plan.dataset,
        number=last + 1,
        version=plan.version,
        agent=plan.agent,
        agent_version=plan.agent_version,
        label=choices.label,
        repeats=choices.repeats,
        confirm_changes=choices.confirm_changes,
        max_cost=choices.max_cost_usd,
        snapshot=snapshot_of(plan.dataset, plan.stored),
        pin_hash=pin_hash(pin),
        baseline=plan.baseline,
        started_by=actor.member,
        key=actor.key,
        with_key=actor.key is not None,
        idempotency_key=key,
        **kept,
    )


def _kept(actor: Actor, plan: Plan) -> dict[str, Any]:
    """What the run is shown to have been started with, also when the rows it names are gone (EV-D51)."""
    return {
        "agent": str(plan.agent.pk),
        "agent_name": plan.agent.name,
        "agent_version": plan.agent_version.number,
        "model": plan.model,
        "spec_hash": sha256_of_json(plan.agent_version.spec),
        "baseline": str(plan.baseline.pk) if plan.baseline else None,
        "judge_model": _judge_model(plan.judge),
        "prices": {"agent": _prices(plan.prices), "judge": _prices(_judge_prices(plan.judge))},
        "release": RELEASE,
        "starter": str(actor.member_id) if actor.member_id else None,
        "key": str(actor.key.pk) if actor.key else None,
    }


def _judge_model(judge: Judge | NoJudge | None) -> str:
    return judge.identity.model.name if judge and judge.identity.model else ""


def _judge_prices(judge: Judge | NoJudge | None) -> Prices | None:
    return judge.identity.model.prices() if judge and judge.identity.model else None


def _prices(prices: Prices | None) -> dict[str, str | None] | None:
    """USD per million tokens as text, so that no digit is lost; None where they are not known."""
    if prices is None:
        return None
    cached = None if prices.cached is None else str(prices.cached)
    return {"input": str(prices.input), "cached": cached, "output": str(prices.output)}


def _lay_down(run: EvalRun, plan: Plan) -> None:
    """The items and the attempts of the first pass, in two statements."""
    items = [(new_id(), case) for case in plan.cases]
    insert_rows(
        EvalItem,
        ("id", "run_id", "case_id", "revision_id", "position", "tags"),
        (
            (key, run.pk, case.case_id, case.revision_id, case.position, json_text(list(case.tags)))
            for key, case in items
        ),
    )
    insert_rows(
        Attempt, ("id", "run_id", "item_id", "number", "kind", "state"), _attempts(run, [key for key, _ in items])
    )


def _attempts(run: EvalRun, items: list[UUID]) -> Iterator[tuple[Any, ...]]:
    """Every case once before any a second time, so that what is there early says something of all of them."""
    for number in range(1, run.repeats + 1):
        for item in items:
            yield new_id(), run.pk, item, number, AttemptKind.FIRST.value, AttemptState.PENDING.value
