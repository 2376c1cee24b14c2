"""The plan of a test run: what would be asked, graded and compared, or the reason why it cannot (EV-D4, EV-D5).

A plan changes nothing. Estimate and start are both made from it, so that what is shown is what is started.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.conf import settings as configured
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.logic.answerers import Answerer, ModelAgent
from agents.logic.usage import Prices
from agents.models import Agent, AgentVersion
from agents.queries.agents import version_to_run
from agents.queries.answering import CannotAnswer, answerer_of
from agents.queries.spending import why_over_budget
from core.errors import Conflict, Invalid
from core.refusals import refusal
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from evals.logic.choices import EvalChoices, read_choices
from evals.logic.left_out import LeftOut, LeftOutCause, left_out_by_cause
from evals.models import EvalRun
from evals.queries.asked_cases import AskedCase, cases_to_ask
from evals.queries.baselines import chosen_baseline
from evals.queries.named_choices import chosen_cases, unknown_cases, unknown_runs, unknown_versions, wrong_values
from scoring.logic.pins import Pin, pin_hash
from scoring.logic.settings import Json, Settings
from scoring.queries.judges import Judge, NoJudge, judge_of
from scoring.queries.reason_words import in_words
from scoring.queries.settings import settings_of


@dataclass(frozen=True)
class Plan:
    """What a start with these choices would do.

    `cases` are asked in their order, `left_out` are the chosen ones that are not. `stored` are the grading settings,
    `judge` whoever grades by them, None where no judge takes part in any case; a `NoJudge` only where that was allowed.
    `baseline` is the run compared with, None for none. `answerer` knows model and prices of the agent.
    """

    choices: EvalChoices
    dataset: Dataset
    version: int
    agent: Agent
    agent_version: AgentVersion
    answerer: Answerer
    cases: tuple[AskedCase, ...]
    left_out: tuple[LeftOut, ...]
    stored: Json
    judge: Judge | NoJudge | None
    baseline: EvalRun | None

    @property
    def attempts(self) -> int:
        """Answers of the first pass."""
        return len(self.cases) * self.choices.repeats

    @cached_property
    def settings(self) -> Settings:
        return Settings.of_json(self.stored)

    @property
    def pin(self) -> Pin | None:
        """By which judge every answer is graded (EV-35); None where none takes part."""
        return self.judge.pin(self.settings) if self.judge else None

    @property
    def confirms(self) -> bool:
        """Whether changed cases will be answered again: only against a baseline (EV-D40)."""
        return self.choices.confirm_changes and self.baseline is not None

    @property
    def model(self) -> str:
        """What the provider calls the agent's model; of an endpoint the name it is asked by, which may be empty."""
        return self.answerer.model.name if isinstance(self.answerer, ModelAgent) else self.answerer.model

    @property
    def prices(self) -> Prices | None:
        """Those of the agent's model; an endpoint has none."""
        return self.answerer.model.prices if isinstance(self.answerer, ModelAgent) else None


def dataset_to_run(actor: Actor, dataset_id: UUID) -> Dataset:
    """The dataset for who may start a test run on it, whatever agent it is of: refusals 1 to 3 of EV-D4.

    Raises `NotFound` without access to it, then `NotAllowed` without `runs:view`, then without `datasets:run` on it.
    """
    dataset = find_dataset(actor, dataset_id)
    access.require(actor, Permission.RUNS_VIEW)
    access.require(actor, Permission.DATASETS_RUN, dataset)
    return dataset


def agent_to_run(actor: Actor, agent_id: UUID) -> Agent:
    """The agent for who may run it: refusal 4 of EV-D4. Raises `NotFound`, helpers too, `NotAllowed`."""
    return access.fetch(Agent.objects.filter(helper=""), actor, Permission.AGENTS_RUN, pk=agent_id)


def choices_of(actor: Actor, *, dataset_id: UUID, raw: Any) -> EvalChoices:
    """The choices in a body, for `plan_of`, `estimate_eval` and `start_eval`; every face reads them here.

    What is wrong with the body is told only to who may start with this agent (EV-D4): raises as `dataset_to_run` and
    `agent_to_run` first, then `Invalid` with every problem.
    """
    dataset_to_run(actor, dataset_id)
    agent = _agent_id(raw)
    if agent:
        agent_to_run(actor, agent)
    choices, problems = read_choices(raw)
    if choices is None:
        raise refusal(problems)
    return choices


def plan_of(actor: Actor, *, dataset_id: UUID, choices: EvalChoices) -> Plan:
    """What a start with these choices would do, after every refusal of EV-D4 and EV-D5 in their order.

    Raises `NotFound`, `NotAllowed`; `Invalid` with every problem of the choices, or where no case is left to run (the
    message counts those left out by cause) or there are too many attempts (EV-D8); then `Conflict`: `agent_archived`,
    `agent_judge`, `agent_external`, `agent_unpublished`, `agent_cannot_answer`, `nothing_decides`, a code of SC-D55
    where the judge cannot grade and `allow_unscored` is false, `over_budget`, `baseline_unfinished`.
    """
    dataset = dataset_to_run(actor, dataset_id)
    agent = agent_to_run(actor, UUID(choices.agent))
    problems = [*wrong_values(choices), *unknown_versions(dataset, agent, choices), *unknown_runs(dataset, choices)]
    stored = settings_of(dataset).stored
    settings = Settings.of_json(stored)
    judge = judge_of(actor, dataset, settings) if settings.asks_judge else None
    version = choices.dataset_version or dataset.newest_version
    told = judge.identity.instructions if judge else ""
    cases = cases_to_ask(dataset, version, settings, instructions=told) if not problems else []
    problems += unknown_cases(cases, choices) if not problems else []
    if problems:
        raise refusal(problems)
    chosen = chosen_cases(dataset, cases, choices)
    asked, left_out = _sorted_out(chosen, decides=_decides(settings))
    _refuse_numbers(asked, left_out, choices)
    agent_version, answerer = _answering(agent, choices)
    if not _decides(settings):
        raise _nothing_decides()
    if not any(case.size.criteria for case in asked):
        judge = None
    if isinstance(judge, NoJudge) and not choices.allow_unscored:
        raise Conflict(judge.cause.value, f"{in_words(judge.cause.reason)}.")
    _refuse_over_budget(agent)
    baseline = chosen_baseline(dataset, agent, choices.baseline, pin_hash(judge.pin(settings) if judge else None))
    _refuse_unfinished(baseline)
    return Plan(
        choices=choices,
        dataset=dataset,
        version=version,
        agent=agent,
        agent_version=agent_version,
        answerer=answerer,
        cases=tuple(asked),
        left_out=tuple(left_out),
        stored=stored,
        judge=judge,
        baseline=baseline,
    )


def _agent_id(raw: Any) -> UUID | None:
    """The agent that a body names, where it names one at all."""
    try:
        return UUID(raw["agent"])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _decides(settings: Settings) -> bool:
    """Whether any evaluator that is on must pass; without one every case stays unscored (SC-D8)."""
    return bool(settings.on & settings.must_pass)


def _sorted_out(chosen: Sequence[AskedCase], *, decides: bool) -> tuple[list[AskedCase], list[LeftOut]]:
    """The cases that are asked, and those that are not; where the settings grade nothing at all, none is to blame."""
    asked, left_out = [], []
    for case in chosen:
        if case.is_anonymised:
            left_out.append(LeftOut(case.case_id, LeftOutCause.ANONYMISED))
        elif decides and not case.has_something_to_check:
            left_out.append(LeftOut(case.case_id, LeftOutCause.NOTHING_TO_CHECK))
        else:
            asked.append(case)
    return asked, left_out


def _refuse_numbers(asked: Sequence[AskedCase], left_out: Sequence[LeftOut], choices: EvalChoices) -> None:
    """Raise `Invalid` where no case is left, or where there are more attempts than a run may have (EV-D8)."""
    if not asked:
        raise Invalid.at("", " ".join([_("No case is left to run."), *left_out_words(left_out)]))
    most, count = configured.EVAL_MAX_ATTEMPTS, len(asked) * choices.repeats
    if count > most:
        message = _("At most %(most)d answers in one test run; these cases and repeats make %(count)d.")
        raise Invalid.at("repeats", message % {"most": most, "count": count})


def left_out_words(left_out: Sequence[LeftOut]) -> list[str]:
    """How many cases are left out, a sentence for each cause."""
    return [_left_out_sentence(cause, count) for cause, count in left_out_by_cause(left_out).items()]


def _left_out_sentence(cause: LeftOutCause, count: int) -> str:
    if cause is LeftOutCause.ANONYMISED:
        words = ngettext(
            "%(count)d is left out because it was anonymised after erasure.",
            "%(count)d are left out because they were anonymised after erasure.",
            count,
        )
    else:
        words = ngettext(
            "%(count)d is left out because the grading settings have nothing to check in it.",
            "%(count)d are left out because the grading settings have nothing to check in them.",
            count,
        )
    return words % {"count": count}


def _answering(agent: Agent, choices: EvalChoices) -> tuple[AgentVersion, Answerer]:
    """The version with all that it needs to answer. Raises `Conflict` where it cannot as things are."""
    version = version_to_run(agent, choices.agent_version)
    version.agent = agent
    try:
        return version, answerer_of(version)
    except CannotAnswer as reason:
        raise Conflict("agent_cannot_answer", str(reason)) from None


def _nothing_decides() -> Conflict:
    message = _("The grading settings grade nothing: no evaluator that is on is marked “Must pass”.")
    return Conflict("nothing_decides", message)


def _refuse_over_budget(agent: Agent) -> None:
    why = why_over_budget(agent.pk)
    if why:
        raise Conflict("over_budget", why)


def _refuse_unfinished(baseline: EvalRun | None) -> None:
    if baseline and not baseline.is_final:
        message = _("The test run to compare with has not ended yet. Wait until it has, or choose another.")
        raise Conflict("baseline_unfinished", message, {"baseline": str(baseline.pk)})
