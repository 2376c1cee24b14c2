"""What cases give the evaluators to read, counted by the database, and which are graded with nothing (SC-24, SC-25)."""

from itertools import product
from typing import Any

import pytest

from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case, delete_cases
from datasets.operations.datasets import create_dataset
from scoring.logic.outcome import has_something_to_check
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.queries.checkable_cases import checkable_cases, unchecked_cases
from tests.cast import Cast

RULE = {"type": "contains", "value": '[{"type":"judge","criterion":"no"}]'}
CRITERION = {"type": "judge", "criterion": 'Is it "kind"?'}
CALL = {"tool": "refund", "args": {}}
CASES: dict[str, dict[str, Any]] = {
    "a rule": {"checks": (RULE,)},
    "a criterion": {"checks": (CRITERION,)},
    "a rule and a criterion": {"checks": (RULE, CRITERION)},
    "a call": {"expected_tool_calls": (CALL,)},
    "a reference answer": {"reference_answer": "30 days"},
    "a counter-example": {"counter_example": "Never"},
    "all": {"checks": (RULE,), "expected_tool_calls": (CALL,), "reference_answer": "a", "counter_example": "b"},
}


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    made = create_dataset(cast.actor("builder"), name="Returns")
    for question, fields in CASES.items():
        add_case(cast.actor("builder"), dataset_id=made.pk, draft=CaseDraft(question, **fields))
    made.refresh_from_db()
    return made


def settings(checks: bool, calls: bool, judge: bool, reference: bool, defaults: bool = False) -> Settings:
    rubric = [{"id": "c-1111", "name": "Kind", "criterion": "Is it kind?", "required": True}]
    return Settings.of_json(
        completed(
            {
                "checks": {"enabled": checks, "defaults": [RULE] if defaults else []},
                "tool_calls": {"enabled": calls},
                "judge": {"enabled": judge, "criteria": rubric if judge else []},
                "reference_answer": {"enabled": reference},
            }
        )
    )


@pytest.mark.spec("SC-24", "SC-27")
def test_the_cases_that_hold_what_each_evaluator_reads_are_counted(dataset: Dataset) -> None:
    found = checkable_cases(dataset, settings(True, True, False, False))
    assert (found.cases, found.checks, found.judge_checks, found.tool_calls) == (7, 4, 2, 2)
    assert (found.reference_answers, found.counter_examples) == (2, 2)
    assert found.unchecked == 2


@pytest.mark.spec("SC-25", "SC-53", "SC-D7")
@pytest.mark.parametrize("switches", list(product([True, False], repeat=5)))
def test_the_database_and_the_rule_for_one_case_agree(dataset: Dataset, switches: tuple[bool, ...]) -> None:
    wanted = settings(*switches)
    cases = {question: CaseDraft(question, **fields) for question, fields in CASES.items()}
    unchecked = [question for question, case in cases.items() if not has_something_to_check(wanted, case)]
    assert [row.input for row in unchecked_cases(dataset, wanted)] == unchecked
    assert checkable_cases(dataset, wanted).unchecked == len(unchecked)


def test_only_cases_of_the_newest_version_count(dataset: Dataset, cast: Cast) -> None:
    case = CaseRevision.objects.get(dataset=dataset, input="all").case_id
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[case])
    assert checkable_cases(dataset, settings(True, True, True, True)).counter_examples == 1
