"""The evaluators of a dataset and what a case gives each of them to read (DS-105, SC-1, SC-42).

The four are known here because cases hold what they read. Whether each is on is known to the app that owns grading
settings: it registers a question with `answer_grading`; until one does, nothing is said to be on.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from datasets.models import Dataset

# By the key of an evaluator whether it is on; None where a dataset's grading is not set up.
Grading = Callable[[Dataset], Mapping[str, bool] | None]


@dataclass(frozen=True)
class Evaluator:
    """One evaluator: the field of a case it reads, and what it does with and without it."""

    key: str
    name: Any
    reads: str
    with_words: Any
    without_words: Any


EVALUATORS = (
    Evaluator(
        "checks", _("Checks"), "checks", _("Every check has to hold."), _("This case has no checks, so none is asked.")
    ),
    Evaluator(
        "expected_tool_calls",
        _("Expected tool calls"),
        "expected_tool_calls",
        _("The calls of the run are compared with the expected ones."),
        _("This case expects no calls, so none are compared."),
    ),
    Evaluator(
        "judge",
        _("Your criteria"),
        "counter_example",
        _("The judge grades the dataset's criteria, and that the answer does not repeat the counter-example."),
        _("The judge grades the dataset's criteria; this case adds none."),
    ),
    Evaluator(
        "reference_answer",
        _("Reference answer"),
        "reference_answer",
        _("The judge compares the answer with the reference answer."),
        _("This case has no reference answer, so there is nothing to compare with."),
    ),
)

_grading: list[Grading] = []


@dataclass(frozen=True)
class DatasetEvaluator:
    """An evaluator as it stands for one dataset and one case; `is_on` is None where grading is not set up."""

    evaluator: Evaluator
    is_on: bool | None
    applies: bool

    def __getattr__(self, name: str) -> Any:
        return getattr(self.evaluator, name)


def answer_grading(grading: Grading) -> None:
    """Register who knows the grading settings of datasets; called once, when that app is ready."""
    _grading.append(grading)


def evaluators_of(dataset: Dataset, holds: Collection[str]) -> list[DatasetEvaluator]:
    """The evaluators of a dataset for a case that holds these fields, in the order of SC-1."""
    known = [found for grading in _grading if (found := grading(dataset)) is not None]
    is_on = {key: on for found in known for key, on in found.items()}
    return [DatasetEvaluator(one, is_on.get(one.key) if known else None, one.reads in holds) for one in EVALUATORS]


def judge_is_off(shown: Collection[DatasetEvaluator]) -> bool:
    """Whether grading is set up without any evaluator that asks the judge, so that `judge` checks wait (SC-D11)."""
    judging = [one.is_on for one in shown if one.key in ("judge", "reference_answer")]
    return None not in judging and not any(judging)
