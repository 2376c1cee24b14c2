"""Whether what a start names is there: versions, tags, cases and runs, each problem with its field (EV-D5)."""

from collections.abc import Sequence
from uuid import UUID

from agents.models import Agent, AgentVersion
from core.problems import Problem, gettext_noop
from datasets.logic.folding import tag_key
from datasets.models import Dataset
from evals.logic.choices import AUTO, READERS, EvalChoices
from evals.models import EvalRun
from evals.queries.asked_cases import AskedCase
from evals.queries.baselines import run_of_dataset
from evals.queries.outlines import outline_of
from scoring.logic.findings import Outcome

NO_DATASET_VERSION = gettext_noop("This dataset has versions 1 to %(newest)d.")
NO_CASES_YET = gettext_noop("This dataset has no cases yet.")
NO_AGENT_VERSION = gettext_noop("This agent has no version %(number)d.")
NO_TAG = gettext_noop("No case of this version has the tag “%(tag)s”.")
NO_CASE = gettext_noop("This version of the dataset has no such case.")
NO_RUN = gettext_noop("This dataset has no such test run.")


def wrong_values(choices: EvalChoices) -> list[Problem]:
    """What is out of its range, also where the choices were not read from a body."""
    amount = None if choices.max_cost_usd is None else f"{choices.max_cost_usd:f}"
    given = {"repeats": choices.repeats, "max_cost_usd": amount, "label": choices.label}
    return [problem.under(name) for name, value in given.items() for problem in READERS[name](value)[1]]


def unknown_versions(dataset: Dataset, agent: Agent, choices: EvalChoices) -> list[Problem]:
    """A version of the dataset or of the agent that is not there; a dataset without any has nothing to run."""
    found, wanted, number = [], choices.dataset_version, choices.agent_version
    if number is not None and not AgentVersion.objects.filter(agent=agent, number=number).exists():
        found.append(Problem("agent_version", NO_AGENT_VERSION, {"number": number}))
    if not dataset.newest_version:
        found.append(Problem("dataset_version", NO_CASES_YET))
    elif wanted is not None and not 1 <= wanted <= dataset.newest_version:
        found.append(Problem("dataset_version", NO_DATASET_VERSION, {"newest": dataset.newest_version}))
    return found


def unknown_runs(dataset: Dataset, choices: EvalChoices) -> list[Problem]:
    """A run that is none of this dataset's; one of another dataset is told apart from none by nothing."""
    named = {"not_passed_in": choices.not_passed_in}
    if choices.baseline != AUTO:
        named["baseline"] = choices.baseline
    return [Problem(name, NO_RUN) for name, wanted in named.items() if wanted and not run_of_dataset(dataset, wanted)]


def unknown_cases(cases: Sequence[AskedCase], choices: EvalChoices) -> list[Problem]:
    """Tags that no case of the version has, and ids that none of them is."""
    tags = {key for case in cases for key in case.tag_keys}
    ids = {str(case.case_id) for case in cases}
    found = [
        Problem(f"tags.{place}", NO_TAG, {"tag": tag})
        for place, tag in enumerate(choices.tags)
        if tag_key(tag) not in tags
    ]
    return found + [
        Problem(f"case_ids.{place}", NO_CASE) for place, key in enumerate(choices.case_ids) if key not in ids
    ]


def chosen_cases(dataset: Dataset, cases: Sequence[AskedCase], choices: EvalChoices) -> list[AskedCase]:
    """Those of the version that are meant, in their order; everything without a choice."""
    found = list(cases)
    if choices.tags:
        wanted = {tag_key(tag) for tag in choices.tags}
        found = [case for case in found if case.tag_keys & wanted]
    if choices.case_ids:
        named = set(choices.case_ids)
        found = [case for case in found if str(case.case_id) in named]
    if choices.not_passed_in:
        lacking = _not_passed_in(run_of_dataset(dataset, choices.not_passed_in))
        found = [case for case in found if case.case_id in lacking]
    return found


def _not_passed_in(run: EvalRun | None) -> set[UUID]:
    """Failed and unscored cases of the run, those that it did not get to too."""
    if run is None:
        return set()
    return {item.case_id for item in outline_of(run).items if item.result != Outcome.PASS}
