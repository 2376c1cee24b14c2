"""Datasets and sets of stored answers for the tests."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.models import AnswerSet, Score, ScoreState
from scoring.operations.stored_answers import read_sent_answers, score_stored_answers

# Question → what its answer has to say.
CASES = {"How long is the warranty?": "2 years", "Do you ship to Malta?": "yes", "How heavy is it?": "1 kg"}


def make_dataset(actor: Actor, cases: Mapping[str, str] | None = None) -> tuple[Dataset, dict[str, UUID]]:
    """A dataset whose cases check for a text, and the id of each case by its question."""
    dataset = create_dataset(actor, name="Kettles")
    ids = {}
    for question, wanted in (CASES if cases is None else cases).items():
        draft = CaseDraft(input=question, checks=({"type": "contains", "value": wanted},))
        ids[question] = add_case(actor, dataset_id=dataset.pk, draft=draft).revision.case_id
    dataset.refresh_from_db()
    return dataset, ids


def make_set(actor: Actor, dataset: Dataset, answers: Mapping[UUID, str], **given: Any) -> AnswerSet:
    """A set with these answers, waiting to be graded."""
    values = [{"case_id": str(case), "answer": text} for case, text in answers.items()]
    version = given.pop("version", None)
    matched = read_sent_answers(actor, dataset_id=dataset.pk, values=values, version=version)
    return score_stored_answers(actor, dataset_id=dataset.pk, answers=matched, **{"label": "Other tool"} | given)


def put_outcomes(answer_set: AnswerSet, outcomes: Mapping[UUID, str], **given: Any) -> None:
    """Say how the answers to these cases were graded, without grading them."""
    for case, outcome in outcomes.items():
        found = Score.objects.filter(answer_set=answer_set, case=case)
        assert found.update(state=ScoreState.DONE, outcome=outcome, **given) == 1
