"""Clearing words from scores: with a person (SC-151, SC-153, SC-D61), with a case's text (ACC-48), with a dataset."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Person
from datasets.models import Dataset
from scoring.logic.findings import EvaluatorResult
from scoring.models import AnswerSet, GradingSettings, Score, ScoreAttempt, WaitingAnswer
from scoring.operations.graded_rows import result_without_words
from scoring.places import tell_of_clearing

BATCH = 200
Json = dict[str, Any]
WORDS = ("results", "why", "unreadable_reply")
NAMES = ((Score, "asked_by"), (ScoreAttempt, "asked_by"), (AnswerSet, "asked_by"), (GradingSettings, "changed_by"))


def erase_words_of(person: Person) -> dict[str, int]:
    """Clear the copies of what the person was answered, with all that was said about them, and take their name off.

    Outcomes and numbers stay. Each batch is a transaction of its own, so it can be cut off and repeated.
    """
    counts = {"answers_cleared": 0, "names_on_scores": 0}
    while cleared := _clear_answers_to(person):
        counts["answers_cleared"] += cleared
    for model, field in NAMES if person.member_id else ():
        counts["names_on_scores"] += _take_name_off(model.objects.filter(**{field: person.member_id}), field)
    return counts


def remove_words_about_cases(dataset: Dataset, case_ids: Collection[UUID], at: datetime) -> None:
    """Clear what scores keep of these cases' answers, in the transaction that replaces the cases' text."""
    rows = Score.objects.filter(dataset=dataset, case__in=case_ids, answer_removed_at=None)
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        _clear(keys[start : start + BATCH], at)


def delete_scores(_actor: Actor, dataset: Dataset) -> None:
    """Delete the scores of a dataset that is being deleted, some at a time: their texts are large."""
    keys = list(Score.objects.filter(dataset=dataset).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        Score.objects.filter(pk__in=keys[start : start + BATCH]).delete()


def count_scores(dataset: Dataset) -> int:
    """How many a deletion of the dataset takes with it."""
    return Score.objects.filter(dataset=dataset).count()


@transaction.atomic
def _clear_answers_to(person: Person) -> int:
    """Clear some scores of the person's runs; how many, and none at the end."""
    keys = list(Score.objects.filter(person=person).order_by("pk").values_list("pk", flat=True)[:BATCH])
    if keys:
        _clear(keys, timezone.now())
        Score.objects.filter(pk__in=keys).update(person=None)
    return len(keys)


def _clear(score_ids: Sequence[UUID], at: datetime) -> None:
    """Answer, calls, reasons, rules, quotes and kept replies go, of earlier attempts too; a grading that is going on
    finds the mark and stores no words (ACC-D35)."""
    rows = Score.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=score_ids).order_by("pk")
    scores = list(rows.only("pk", *WORDS))
    for row in scores:
        _without_words(row)
        row.answer, row.calls, row.answer_cut = "", [], False
        row.answer_removed_at = at
    Score.objects.bulk_update(scores, [*WORDS, "answer", "calls", "answer_cut", "answer_removed_at"], batch_size=BATCH)
    attempts = list(ScoreAttempt.objects.filter(score__in=score_ids).only("pk", *WORDS))
    for attempt in attempts:
        _without_words(attempt)
    ScoreAttempt.objects.bulk_update(attempts, WORDS, batch_size=BATCH)
    WaitingAnswer.objects.filter(score__in=score_ids).delete()
    tell_of_clearing(score_ids)


def _without_words(row: Score | ScoreAttempt) -> None:
    results = (EvaluatorResult.of_json(result) for result in row.results)
    row.results = [result_without_words(result).as_json() for result in results]
    # A reason of ours without values, such as that the judge was off, holds nobody's words.
    row.why = row.why if row.why and not row.why["values"] else None
    row.unreadable_reply = ""


def _take_name_off(rows: QuerySet[Any], field: str) -> int:
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        rows.model._default_manager.filter(pk__in=keys[start : start + BATCH]).update(**{field: None})
    return len(keys)
