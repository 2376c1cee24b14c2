"""The demonstration's test runs: two versions of an agent over weeks, with what went better and worse (PL-50).

Only the model is missing: what it says is written down, and everything else is what workers do with answers. What
passes is decided by the rules, just now.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actor import Actor
from activity.models import RunKind
from activity.operations.collected_runs import CollectedAnswer, Prepared, prepare_agent
from agents.logic.usage import Prices, Usage, cost_of
from agents.loop.events import Ended, Ending, ModelStep, Outcome, ToolStep
from agents.loop.tool_calls import SIMULATED
from agents.models import Agent, AgentVersion
from agents.operations.agent_drafts import read_draft, save_draft
from agents.operations.agent_versions import publish_agent
from datasets.models import CaseRevision, Dataset
from datasets.queries.datasets import visible_datasets
from datasets.queries.seen_cases import content_of
from evals.logic.choices import EvalChoices
from evals.logic.demonstration import Said, Script, only_judged
from evals.models import Attempt, AttemptKind, AttemptState, EvalRun
from evals.operations.claiming import Task
from evals.operations.completion import Next, advance
from evals.operations.gradings import grade_held
from evals.operations.start import start_eval
from evals.operations.storing import Arrived, store_answers
from evals.operations.work import RELATED
from evals.operations.workers import enter, leave
from scoring.logic.checks import CheckRunner
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import Score

FILE = Path(__file__).parent.parent / "demonstration" / "it-helper.json"
MODEL, PRICES = "demonstration", Prices(input=Decimal(2), output=Decimal(8))
FOUND = '{"found": true}'
AT_ONCE = 4


def load_test_runs(actor: Actor) -> int:
    """Make the test runs where the demonstration's agent and dataset are and have none; how many were made."""
    whole = json.loads(FILE.read_text())
    dataset = visible_datasets(actor).filter(name=whole["dataset"]).first()
    agent = Agent.objects.filter(organisation_id=actor.organisation_id, name=whole["agent"], newest_version=1).first()
    if dataset is None or agent is None or EvalRun.objects.filter(dataset=dataset).exists():
        return 0
    _publish_second_version(actor, agent, whole)
    with CheckRunner() as runner:
        for run in whole["runs"]:
            _Played(actor, dataset, agent, Script(whole, run), runner).play()
    return len(whole["runs"])


def _publish_second_version(actor: Actor, agent: Agent, whole: Mapping[str, Any]) -> None:
    """Made some hours before the run that asks it."""
    second, first = whole["second_version"], agent.versions.get()
    draft = {**agent.draft, "instructions": f"{agent.draft['instructions']}\n{second['instructions']}"}
    save_draft(actor, agent_id=agent.pk, spec=read_draft(actor, agent_id=agent.pk, draft=draft))
    made = publish_agent(actor, agent_id=agent.pk, note=second["note"])
    for version, run in ((first, whole["runs"][0]), (made, whole["runs"][-1])):
        earlier = timezone.now() - timedelta(days=run["days_ago"], hours=3)
        AgentVersion.objects.filter(pk=version.pk).update(created_at=earlier)


@dataclass
class _Played:
    """One run as a worker works on it; `at` is the time of the demonstration, some days ago."""

    actor: Actor
    dataset: Dataset
    agent: Agent
    script: Script
    runner: CheckRunner
    at: datetime = field(init=False)

    def play(self) -> None:
        began = self.at = timezone.now() - timedelta(days=self.script.run["days_ago"])
        made = start_eval(self.actor, dataset_id=self.dataset.pk, choices=self._choices())
        while self._work(made) is Next.GOES_ON:
            pass
        EvalRun.objects.filter(pk=made.pk).update(
            created_at=began, started_at=began, finished_at=self.at, progress_at=self.at
        )
        Attempt.objects.filter(run=made, answered_at__isnull=False).update(done_at=F("answered_at"))
        Score.objects.filter(attempt__run=made).update(created_at=self.at, graded_at=self.at)

    def _choices(self) -> EvalChoices:
        """Cases that rules decide, and one that stays unscored without a judge."""
        rows = [(str(row.case_id), content_of(row)) for row in CaseRevision.objects.newest(self.dataset).in_order()]
        asked = [case_id for case_id, case in rows if self.script.asks(case)]
        asked += [case_id for case_id, case in rows if only_judged(case)][:1]
        version, label = self.script.run["version"], self.script.run["label"]
        return EvalChoices(agent=str(self.agent.pk), agent_version=version, case_ids=tuple(asked), label=label)

    def _work(self, made: EvalRun) -> Next:
        """Store what the script says to each attempt that waits, and grade that."""
        worker = enter(made.pk, None)
        if worker is None:
            raise RuntimeError("the run cannot be worked on")
        run = EvalRun.objects.select_related(*RELATED).get(pk=made.pk)
        settings = Settings.of_json(completed(run.snapshot.settings))
        prepared = prepare_agent(self.actor, agent_id=self.agent.pk, number=self.script.run["version"])
        arrived = [self._arrived(prepared, task, confirms) for task, confirms in _waiting(run)]
        with transaction.atomic():
            held = store_answers(run, worker, self.actor, settings, arrived).held
        grade_held(worker, self.runner, held)
        leave(worker)
        return advance(run)

    def _arrived(self, prepared: Prepared, task: Task, confirms: bool) -> Arrived:
        said = self.script.says(task.case, confirms=confirms)
        answer = CollectedAnswer(prepared, RunKind.EVAL, task.turns, started_at=self.at)
        for step in () if said.failure else self._steps(said):
            answer.add(step)
        is_there = not said.failure
        status = Ending.COMPLETED if is_there else Ending.FAILED
        answer.finish(Ended(status, said.failure, may_pass=not is_there, cause="" if is_there else "timeout"))
        answer.seconds, answer.finished_at = said.seconds, self.at + timedelta(seconds=said.seconds)
        answer.messages = [replace(message, created_at=answer.finished_at) for message in answer.messages]
        self.at += timedelta(seconds=said.seconds / AT_ONCE)
        return Arrived(task, answer, at=answer.finished_at)

    def _steps(self, said: Said) -> Iterator[ModelStep | ToolStep]:
        """A call of the model for the tools, if any, and one for the words; nothing that changes anything is done."""
        seconds = said.seconds / (2 if said.calls else 1)
        if said.calls:
            calls = [
                {"id": f"call_{place}", "name": call["tool"], "arguments": dict(call.get("args") or {})}
                for place, call in enumerate(said.calls, start=1)
            ]
            yield _model_step("", seconds, calls)
            for call in calls:
                yield self._tool_step(call)
        yield _model_step(said.text, seconds)

    def _tool_step(self, call: Mapping[str, Any]) -> ToolStep:
        tool: dict[str, Any] = next((tool for tool in self.agent.draft["tools"] if tool["name"] == call["name"]), {})
        given = (FOUND, Outcome.OK) if tool.get("read_only") else (tool.get("stub") or SIMULATED, Outcome.BLOCKED)
        return ToolStep(call["id"], call["name"], call["arguments"], *given, seconds=0.0)


def _waiting(run: EvalRun) -> list[tuple[Task, bool]]:
    """The attempts that wait, each with whether it is to confirm a change."""
    rows = Attempt.objects.filter(run=run, state=AttemptState.PENDING).select_related("item__revision").order_by("pk")
    return [
        (
            Task(row.pk, row.item_id, row.item.case_id, row.item.revision_id, row.tries, content_of(row.item.revision)),
            row.kind == AttemptKind.CONFIRM,
        )
        for row in rows
    ]


def _model_step(text: str, seconds: float, calls: list[dict[str, Any]] | None = None) -> ModelStep:
    usage = Usage(input=820, output=20 + len(text) // 4)
    return ModelStep(text, calls or [], MODEL, usage, cost_of(usage, PRICES), seconds)
