"""A set of stored answers as a test run: no agent is asked, and it compares with any other run (EV-D39).

The run is made once all answers are graded, and so is completed from its beginning. Its cases are the set's, its
attempts their scores; it goes with the set.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from activity.operations.bulk_rows import insert_rows
from core.ids import new_id
from core.json_text import json_text
from core.limits import LIMITS
from datasets.models import CaseRevision, Dataset
from evals.models import Attempt, AttemptKind, AttemptState, EvalItem, EvalRun, EvalState
from evals.queries.stored_runs import baseline_of_set, is_graded, sets_without_a_run
from scoring.models import AnswerSet, Score

ITEM = ("id", "run_id", "case_id", "revision_id", "position", "tags")
ATTEMPT = (
    "id", "run_id", "item_id", "number", "kind", "state", "score_id", "cost", "seconds", "model", "done_at",
)  # fmt: skip
# So many sets get their run in one go of the sweep.
SETS_AT_ONCE = 20


def make_run_of_set(answer_set_id: UUID) -> EvalRun | None:
    """The test run of the set, made now; None where answers still wait, where it has one, and where the set is gone.

    Safe to repeat. It acts for nobody: what follows from bringing the answers needs no permission of its own.
    """
    if not is_graded(answer_set_id):
        return None
    with transaction.atomic():
        # The dataset is locked before the set is read, as whoever starts or deletes something of it does.
        of_set = AnswerSet.objects.filter(pk=answer_set_id).values("dataset")
        locked = Dataset.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=of_set).first()
        answer_set = AnswerSet.objects.select_related("agent").filter(pk=answer_set_id, eval_run=None).first()
        if locked is None or answer_set is None or not is_graded(answer_set_id):
            return None
        answer_set.dataset = locked
        return _made(answer_set)


def make_missing_runs() -> int:
    """Give a run to graded sets that have none: sets of earlier releases, and those whose worker died; how many."""
    return sum(make_run_of_set(key) is not None for key in sets_without_a_run(SETS_AT_ONCE))


def delete_run_of_set(answer_set: AnswerSet) -> None:
    """Delete the set's run with its cases and attempts; call it in the transaction that deletes the set."""
    EvalRun.objects.filter(answer_set=answer_set).delete()


def _made(answer_set: AnswerSet) -> EvalRun:
    scores = list(_scores(answer_set))
    pins = {score.pin_hash: score.pin for score in scores if score.pin_hash}
    # Answers that several judges graded have no judge in common; each score keeps its own.
    pin_hash, pin = next(iter(pins.items())) if len(pins) == 1 else ("", None)
    last = EvalRun.objects.filter(dataset=answer_set.dataset).aggregate(last=Max("number"))["last"] or 0
    ended = max(score.graded_at or answer_set.created_at for score in scores)
    run = EvalRun.objects.create(
        organisation_id=answer_set.dataset.organisation_id,
        dataset=answer_set.dataset,
        number=last + 1,
        version=answer_set.version,
        agent=answer_set.agent,
        answer_set=answer_set,
        label=_label(answer_set.label),
        state=EvalState.COMPLETED,
        confirm_changes=False,
        snapshot_id=scores[0].snapshot_id,
        pin=pin,
        pin_hash=pin_hash,
        baseline=baseline_of_set(answer_set, pin_hash),
        started_by_id=answer_set.asked_by_id,
        created_at=answer_set.created_at,
        started_at=answer_set.created_at,
        finished_at=ended,
        progress_at=ended,
    )
    _add_cases(run, scores)
    return run


def _add_cases(run: EvalRun, scores: list[Score]) -> None:
    """An item and an attempt a score. No agent was asked here, so that no attempt says when it was answered."""
    ids = {score.case_id: new_id() for score in scores}
    rows = CaseRevision.objects.at(run.dataset, run.version)
    known = {row[0]: row for row in rows.values_list("case_id", "pk", "position", "tags") if row[0] in ids}
    items = ((ids[case], run.pk, case, pk, place, json_text(tags)) for case, pk, place, tags in known.values())
    insert_rows(EvalItem, ITEM, items)
    insert_rows(Attempt, ATTEMPT, (_attempt(run, ids[one.case_id], one) for one in scores if one.case_id in known))


def _attempt(run: EvalRun, item_id: UUID, score: Score) -> tuple[Any, ...]:
    graded = (score.pk, score.cost, score.seconds, score.model, score.graded_at)
    return (new_id(), run.pk, item_id, 1, AttemptKind.FIRST.value, AttemptState.DONE.value, *graded)


def _scores(answer_set: AnswerSet) -> Iterator[Score]:
    needed = ("case_id", "snapshot_id", "pin", "pin_hash", "cost", "seconds", "model", "graded_at")
    return Score.objects.filter(answer_set=answer_set).only(*needed).order_by("pk").iterator(chunk_size=1000)


def _label(label: str) -> str:
    most = LIMITS.eval_label_characters
    return label if len(label) <= most else label[: most - 1] + "…"
